import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createPartnerStore } from '../../../bin/operator/store/partners/store.ts';
import type { handler } from '../../../functions/publish-dormant/index.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { createDebounceRowStore } from '../../../functions/shared/store/debounce/debounce-rows.ts';
import { createDeliveryLogStore } from '../../../functions/shared/store/debounce/delivery-log.ts';
import { dueShardOf } from '../../../functions/shared/store/debounce/keys.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { aPartner, aServedEndpoint } from '../../support/builders/a-partner.ts';
import { aDelivery, anEvent, someBodies } from '../../support/builders/events.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { refusal } from '../../support/functions/aws.ts';
import { useFunctions } from '../../support/functions/use-functions.ts';

const functions = useFunctions({ AWS_REGION: 'eu-west-1' });
let publish: typeof handler;

const tables = { transactionsTable: 'Transactions', listingTable: 'Listing', debounceTable: 'Debounce' };
const stores = () => {
  const { documents } = functions;
  const clock = () => new Date();
  return {
    debounceRows: createDebounceRowStore({ documents, ...tables, clock }),
    deliveryLog: createDeliveryLogStore({ documents, ...tables, clock }),
    transactions: createTransactionWriter({ documents, ...tables, requestsTable: 'Requests' }),
  };
};

beforeAll(async () => {
  publish = await functions.start('publish-dormant');
  const partner = aPartner({ clientId: 'LISTENER', name: 'listener', webhookUrl: 'https://p.example/' });
  const endpoint = aServedEndpoint({ servesFromMs: Date.now() - 1_000 });
  const partners = createPartnerStore({ documents: functions.documents, partnersTable: 'Partners' });
  await partners.create({ partner, secrets: [], endpoint }, 'signature');
});
beforeEach(() => {
  // Not at a whole multiple of the period of ticks.
  functions.pass(60 - ((Date.now() / 1000) % 60) + 3);
  functions.aws.calls.length = 0;
});

const context = { awsRequestId: 'invocation-1', getRemainingTimeInMillis: () => 15_000 };
const poll = (more = {}) => publish({ Records: [{ body: '-' }] }, { ...context, ...more });

/** A transaction whose last change is this old, and its row, due since a second ago. */
const aDueTransaction = async (
  uuid: string,
  secondsAgo: number,
  changes: Partial<StoredTransaction> = {},
) => {
  const changedAtMs = Date.now() - secondsAgo * 1000;
  await stores().transactions.create(aNewTransaction({ uuid }, { updatedAtMs: changedAtMs, ...changes }));
  await stores().debounceRows.recordChange({ uuid, changed: [], dueAtMs: Date.now() - 1_000 });
};
/** Rows without a transaction, due since the last second. */
const makeDue = async (count: number): Promise<string[]> => {
  const uuids = Array.from({ length: count }, (_, index) => uuidOf(1_000 + index));
  const dueAtMs = Date.now() - 1_000;
  await Promise.all(uuids.map((uuid) => stores().debounceRows.recordChange({ uuid, changed: [], dueAtMs })));
  return uuids;
};

test('EV-1 EV-8 a dormant transaction is sent to the bus of its stage, and the metrics of the alarms are reported', async () => {
  await aDueTransaction(uuidOf(1), 121);

  await poll();

  const [put] = functions.aws.sent();
  expect(put).toMatchObject({
    ...{ EventBusName: 'bus', Source: 'svc.local.online-payments', DetailType: 'TransactionUpdated' },
  });
  expect(JSON.parse(String(put?.Detail))).toMatchObject({
    to: 'LISTENER',
    message: {
      ...{
        id: 'bb496d68-13d6-5719-9b04-0eda0c53920e',
        source: 'svc.local.online-payments',
        region: 'eu-west-1',
      },
      detail: { uuid: uuidOf(1) },
    },
  });
  expect(functions.logged('FLUSH_ENDED')).toMatchObject([
    { service: 'publish-dormant', claimed: 1, sent: 1 },
  ]);
  expect(functions.reported()).toEqual([
    { service: 'publish-dormant', OldestDueAge: 1_000, UpdateDelay: 121_000, Sent: 1 },
  ]);
});

test('EV-2 a transaction that was changed meanwhile waits for 120 s after that change', async () => {
  await aDueTransaction(uuidOf(2), 50);

  await poll();

  const row = await stores().debounceRows.get({ uuid: uuidOf(2), kind: 'NOTIFY' });
  expect([functions.aws.sent(), row?.dueAtMs]).toEqual([[], Date.now() + 70_000]);
});

test('EV-16 an announced completion is sent to the bus, and the log has its delay', async () => {
  const uuid = uuidOf(3);
  const { create, replace } = stores().transactions;
  const created = await create(aNewTransaction({ uuid }));
  if (!created.ok) throw new Error('The uuid was taken');
  const before = created.value;
  const updatedAtMs = Date.now() - 2_000;
  const transaction = { ...before.transaction, status: 1 } as const;
  const elementVersions = { ...before.elementVersions, own: 2 };
  await replace(before, { ...before, transaction, version: 2, updatedAtMs, elementVersions });

  const answer = await publish({ Records: [{ body: `completed ${uuid}`, messageId: 'm' }] }, context);

  expect(answer).toEqual({ batchItemFailures: [] });
  expect(functions.aws.sent()).toMatchObject([{ DetailType: 'TransactionCompleted' }]);
  expect(functions.logged('COMPLETION_NOTIFIED')).toMatchObject([
    { service: 'publish-dormant', delayMs: 2_000 },
  ]);
});

test('EV-26 a delivery that is due again is sent with the present values', async () => {
  const uuid = uuidOf(4);
  const { create, replace } = stores().transactions;
  const created = await create(aNewTransaction({ uuid }));
  if (!created.ok) throw new Error('The uuid was taken');
  const before = created.value;
  const transaction = { ...before.transaction, guestEmail: 'a@b.example' };
  const elementVersions = { ...before.elementVersions, own: 2 };
  await replace(before, { ...before, transaction, version: 2, elementVersions });
  const claimedAtMs = Date.now() - 3_600_000;
  const to = { clientId: 'LISTENER', eventId: '00000000-0000-4000-8000-000000000004', claimedAtMs, uuid };
  await stores().deliveryLog.addMissing({
    event: anEvent({ ...to, recipients: ['LISTENER'] }),
    bodies: someBodies,
    deliveries: [aDelivery({ ...to, state: 'DEAD', dueAtMs: Date.now() - 1_000 })],
  });

  await poll();

  const details = functions.aws.sent().map(({ Detail }) => JSON.parse(String(Detail)));
  expect(details.find(({ message }) => message.detail.uuid === uuid)).toMatchObject({
    delivery: { from: '0', to: '2' },
  });
});

test('EV-17 a bus that does not answer changes nothing, which is logged', async () => {
  await aDueTransaction(uuidOf(5), 121);
  functions.aws.interfere(({ target }) =>
    target === 'AWSEvents.PutEvents' ? refusal('Throttled') : undefined,
  );

  await poll();
  functions.aws.interfere();

  expect(functions.logged('BUS_UNAVAILABLE')).toMatchObject([{ service: 'publish-dormant', level: 'ERROR' }]);
  expect(functions.reported()).toMatchObject([{ Unconfirmed: 1 }]);
  functions.pass(21);
  functions.aws.calls.length = 0;
  await poll();
  expect(functions.aws.sent()).toHaveLength(1);
});

test('EV-24 more than a hundred rows cause messages to the queue of due shards, and a worker publishes one shard', async () => {
  const uuids = await makeDue(101);
  const shards = [...new Set(uuids.map(dueShardOf))];

  await poll();

  const asked = functions.aws.sent();
  const tick = `tick-${Math.floor(Date.now() / 10_000)}`;
  expect(new Set(asked.map(({ queue }) => queue))).toEqual(new Set(['shards.fifo']));
  expect(asked.map((one) => one.MessageDeduplicationId).toSorted()).toEqual(
    shards.map((shard) => `${shard}/${tick}`).toSorted(),
  );
  const [shard = 0] = shards;
  await publish({ Records: [{ body: `shard ${shard}` }] }, context);
  const rows = await stores().debounceRows.getMany(uuids);
  const done = uuids.filter((uuid) => rows.get(uuid)?.dueAtMs === undefined);
  expect(done).toEqual(uuids.filter((uuid) => dueShardOf(uuid) === shard));
  for (const one of shards) await publish({ Records: [{ body: `shard ${one}` }] }, context);
});

test('EV-24 a few rows are published by the poll itself', async () => {
  const uuids = await makeDue(20);

  await poll();

  expect(functions.aws.sent()).toEqual([]);
  const rows = await stores().debounceRows.getMany(uuids);
  expect(uuids.filter((uuid) => rows.get(uuid)?.dueAtMs !== undefined)).toEqual([]);
});

test('I17 the schedule sends the ticks of three minutes, and polls itself if none arrive', async () => {
  const delays = Array.from({ length: 17 }, (_, index) => 7 + 10 * index);
  functions.pass(600);
  await publish({ every: 'rate(1 minute)' }, context);

  expect(functions.aws.sent()).toEqual(
    delays.map((DelaySeconds) => ({
      ...{ queue: 'ticks', Id: `after-${DelaySeconds}`, DelaySeconds, MessageBody: '-' },
    })),
  );
  expect(functions.reported()).toHaveLength(1);
  functions.pass(19);
  await publish({ every: 'rate(1 minute)' }, context);
  expect(functions.reported()).toHaveLength(1);
  functions.pass(1);
  await publish({ every: 'rate(1 minute)' }, context);
  expect(functions.reported()).toHaveLength(2);
});

test('EV-15 a poll whose time ends early requests another one at once', async () => {
  await makeDue(1);

  await poll({ getRemainingTimeInMillis: () => 8_000 });

  expect(functions.aws.sent()).toEqual([
    { queue: 'ticks', Id: 'after-0', DelaySeconds: 0, MessageBody: '-' },
  ]);
});
