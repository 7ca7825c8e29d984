import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { createPartnerStore } from '../../../bin/operator/store/partners/store.ts';
import type { handler } from '../../../functions/publish-dormant/index.ts';
import { createDebounceRowStore } from '../../../functions/shared/store/debounce/debounce-rows.ts';
import { dueShardOf } from '../../../functions/shared/store/debounce/keys.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { aPartner, aServedEndpoint } from '../../support/builders/a-partner.ts';
import { httpEvent } from '../../support/builders/http-event.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { startFunction, startPlace } from '../../support/engine/start-place.ts';

type Call = { name: string; queue?: string; entries: Record<string, unknown>[] };

/** SQS and EventBridge as far as both functions use them: everything is taken, and noted. */
const startAws = async () => {
  const calls: Call[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { QueueUrl, Entries = [] } = JSON.parse(await text(request)) as {
      QueueUrl?: string;
      Entries?: Record<string, unknown>[];
    };
    const name = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const queue = QueueUrl?.split('/').at(-1);
    calls.push({ name, entries: Entries, ...(queue !== undefined && { queue }) });
    const taken = Entries.map(() => ({ EventId: 'bus-1' }));
    response.end(JSON.stringify(name === 'PutEvents' ? { Entries: taken, FailedEntryCount: 0 } : {}));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const named = (name: string) => calls.filter((call) => call.name === name);
  return { url, calls, named, stop: () => server.close() };
};

let aws: Awaited<ReturnType<typeof startAws>>;
let place: Awaited<ReturnType<typeof startPlace>>;
let write: (event: unknown, context: Context) => Promise<APIGatewayProxyResult>;
let publish: typeof handler;

/** Both functions as Lambda starts them. */
beforeAll(async () => {
  aws = await startAws();
  place = await startPlace();
  Object.assign(process.env, place.environment, {
    ...{ AWS_ENDPOINT_URL_SQS: aws.url, AWS_ENDPOINT_URL_EVENTBRIDGE: aws.url },
    ...{ EVENT_BUS: 'bus', TICK_SECONDS: '10', DORMANCY_SECONDS: '120' },
    ...{ TICK_QUEUE: `${aws.url}/ticks`, SHARD_QUEUE: `${aws.url}/shards` },
    ...{ COMPLETION_QUEUE: `${aws.url}/completions`, POWERTOOLS_METRICS_DISABLED: 'true' },
  });
  write = await startFunction('v2-write');
  publish = await startFunction('publish-dormant');
}, 180_000);
afterAll(async () => {
  await place.stop();
  aws.stop();
});
beforeEach(() => {
  aws.calls.length = 0;
});

const context = { awsRequestId: 'invocation-1', getRemainingTimeInMillis: () => 15_000 };
const stores = () => {
  const { documents } = place.engine;
  const tables = { transactionsTable: 'Transactions', listingTable: 'Listing', debounceTable: 'Debounce' };
  return {
    debounceRows: createDebounceRowStore({ documents, ...tables, clock: () => new Date() }),
    transactions: createTransactionWriter({ documents, ...tables, requestsTable: 'Requests' }),
    partners: createPartnerStore({ documents, partnersTable: 'Partners' }),
  };
};
/** Rows without a transaction, due since the last second. */
const makeDue = async (count: number): Promise<string[]> => {
  const uuids = Array.from({ length: count }, (_, index) => uuidOf(1_000 + index));
  const changedAtMs = Date.now() - 121_000;
  const recorded = { changed: [], changedAtMs, dueAtMs: changedAtMs + 120_000 };
  await Promise.all(uuids.map((uuid) => stores().debounceRows.recordChange({ uuid, ...recorded })));
  return uuids;
};

test('EV-16 a payment that completes is named to the queue of completions, and publish-dormant puts it on the bus', async () => {
  const uuid = uuidOf(1);
  const webhookUrl = 'https://p.example/';
  const partner = aPartner({ clientId: 'LISTENER', name: 'listener', webhookUrl });
  await stores().partners.create({ partner, secrets: [], endpoint: aServedEndpoint() }, 'signature');
  await stores().transactions.create(aNewTransaction({ uuid }));
  const headers = {
    ...{ Authorization: `Bearer ${await place.signToken()}`, 'Content-Type': 'application/json' },
  };
  const body = JSON.stringify({ transaction: uuid, type: 1, value: '1.00', status: 1 });

  const { statusCode } = await write(
    httpEvent('/api/v2/payment', { method: 'POST', body, headers }),
    {} as Context,
  );

  expect([statusCode, aws.calls]).toEqual([
    201,
    [
      {
        ...{ name: 'SendMessageBatch', queue: 'completions' },
        entries: [{ Id: 'completed', MessageBody: `completed ${uuid}` }],
      },
    ],
  ]);
  const answer = await publish({ Records: [{ body: `completed ${uuid}`, messageId: 'message-1' }] }, context);
  expect(answer).toEqual({ batchItemFailures: [] });
  const [put] = aws.named('PutEvents').flatMap(({ entries }) => entries);
  expect(put).toMatchObject({
    ...{ EventBusName: 'bus', Source: 'svc.local.online-payments', DetailType: 'TransactionCompleted' },
  });
  expect(JSON.parse(String(put?.Detail))).toMatchObject({ to: 'LISTENER', message: { detail: { uuid } } });
});

test('EV-24 more than a hundred rows are asked for at the queue of due shards, and a worker does one of them', async () => {
  const uuids = await makeDue(101);
  const shards = [...new Set(uuids.map(dueShardOf))];

  await publish({ Records: [{ body: '-' }] }, context);

  expect(new Set(aws.calls.map(({ name, queue }) => `${name} ${queue}`))).toEqual(
    new Set(['SendMessageBatch shards']),
  );
  const groups = aws.calls.flatMap(({ entries }) =>
    entries.map(({ MessageGroupId }) => Number(MessageGroupId)),
  );
  expect(groups.toSorted((one, other) => one - other)).toEqual(shards.toSorted((one, other) => one - other));
  const [shard = 0] = shards;
  await publish({ Records: [{ body: `shard ${shard}` }] }, context);
  const rows = await stores().debounceRows.getMany(uuids);
  const done = uuids.filter((uuid) => rows.get(uuid)?.dueAtMs === undefined);
  expect(done).toEqual(uuids.filter((uuid) => dueShardOf(uuid) === shard));
});

test('I17 the schedule sends ticks of ten seconds to their queue', async () => {
  await publish({ every: 'rate(1 minute)' }, context);

  const ticks = aws.calls.filter(({ queue }) => queue === 'ticks').flatMap(({ entries }) => entries);
  expect(ticks.length).toBeGreaterThanOrEqual(16);
  expect(ticks.every(({ MessageBody }) => MessageBody === '-')).toBe(true);
});

test('EV-15 a poll whose time is over before its work is asks for another one at once', async () => {
  await makeDue(1);

  await publish({ Records: [{ body: '-' }] }, { ...context, getRemainingTimeInMillis: () => 8_000 });

  expect(aws.calls).toEqual([
    {
      ...{ name: 'SendMessageBatch', queue: 'ticks' },
      entries: [{ Id: 'after-0', DelaySeconds: 0, MessageBody: '-' }],
    },
  ]);
});
