import { expect, test } from '@jest/globals';
import { createHandler, lightLoad } from '../../../../functions/publish-dormant/handler.ts';
import { eventIdOf } from '../../../../functions/shared/domain/event/event.ts';
import { nextState } from '../../../../functions/shared/domain/transaction/next-state.ts';
import { addPayment } from '../../../../functions/shared/domain/transaction/payment.ts';
import type {
  StoredTransaction,
  Transaction,
} from '../../../../functions/shared/domain/transaction/transaction.ts';
import type { PublishDeps } from '../../../../functions/shared/publish/publish-deps.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { aClock } from '../../../support/builders/manual-clock.ts';
import { aNewTransaction, uuidOf } from '../../../support/builders/transactions.ts';
import {
  aBus,
  aPublishing,
  directoryOf,
  invocationContext,
  memoryStores,
  oneByOne,
} from '../../../support/memory/publishing.ts';

const named = (...uuids: string[]) => ({
  Records: uuids.map((uuid, index) => ({ body: `completed ${uuid}`, messageId: `message-${index}` })),
});
const done = { batchItemFailures: [] };
const again = (...ids: string[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});

const first = uuidOf(1);
const second = uuidOf(2);
const markerOf = (uuid: string) => ({ uuid, kind: 'COMPLETED' }) as const;
const identity = { id: 1, transactionId: 1, hash: 'a'.repeat(40), operation: 'v2/payment/create' };
const facts = { type: 1, value: '99.00', status: 1 } as const;
const withEmail = (transaction: Transaction, number: number): Transaction => ({
  ...transaction,
  guestEmail: `${number}@example.com`,
});

/** Two transactions that payments have completed; the first is edited so often right before a claim. */
const aStage = async ({ edits = 0, edited = withEmail, partners: count = 1, bus = aBus() } = {}) => {
  const clock = aClock();
  const stores = memoryStores(clock.now);
  const directory = directoryOf(
    Array.from({ length: count }, (_, index) =>
      aPartner({ clientId: `P${index}`, name: `p${index}`, webhookUrl: 'https://p.example/' }),
    ),
  );
  const change = async (before: StoredTransaction, transaction: Transaction) => {
    const after = nextState(before, transaction, clock.now());
    const saved = after && (await stores.transactions.replace(before, after));
    if (!saved?.ok) throw new Error('not saved');
    return saved.value;
  };
  for (const uuid of [first, second]) {
    const [created] = await stores.transactions.createMany([aNewTransaction({ uuid })]);
    if (!created?.ok) throw new Error('not created');
    const { transaction } = created.value;
    await change(
      created.value,
      addPayment(transaction, facts, { ...identity, now: clock.now() }).transaction,
    );
  }
  let left = edits;
  const partners: PublishDeps['partners'] = {
    ...directory,
    ofOwners: async (owners) => {
      const stored = left > 0 ? await stores.transactions.byUuid(first) : undefined;
      if (stored) await change(stored, edited(stored.transaction, left));
      left -= 1;
      return directory.ofOwners(owners);
    },
  };
  clock.pass({ seconds: 1 });
  let readings = 0;
  const { getAll } = stores.debounceRows;
  stores.debounceRows.getAll = (keys) => {
    readings += 1;
    return getAll(keys);
  };
  const logged: unknown[] = [];
  const reported: object[] = [];
  const handler = createHandler({
    publishing: aPublishing({
      ...{ ...stores, bus, partners, clock: clock.now },
      log: (name, said) => logged.push([name, said]),
    }),
    ticks: {
      ...{ areComing: () => true, recordPoll: () => {}, sendAhead: async () => {}, occasionOf: () => '' },
    },
    light: lightLoad,
    askForWorkers: async () => {},
    sendTick: async () => {},
    report: (figures) => reported.push({ ...figures }),
  });
  const marker = (uuid = first) => stores.debounceRows.get(markerOf(uuid));
  return { ...stores, handler, bus, clock, marker, logged, reported, readings: () => readings };
};

test('EV-16 I18 S-70 a completion that a message names is published at once, without a query of the index', async () => {
  const stage = await aStage();
  stage.debounceRows.due = () => Promise.reject(new Error('the index is asked'));

  const answer = await stage.handler(named(first), invocationContext());

  // Before its claim, and for the rest.
  expect([answer, stage.readings()]).toEqual([done, 2]);
  expect(stage.bus.taken).toMatchObject([{ type: 'TransactionCompleted', from: 1, to: 2 }]);
  expect(JSON.parse(stage.bus.taken[0]?.message ?? '').detail.uuid).toBe(first);
  expect(await stage.marker()).not.toHaveProperty('dueAtMs');
  expect(await stage.marker(second)).toHaveProperty('dueAtMs');
  // Nothing is said of the age of what the index has.
  expect(stage.logged).toEqual([
    ['completionNotified', { delayMs: 1_000 }],
    ['flushEnded', { polled: 1, claimed: 1, failed: 0, sent: 1, oversize: 0 }],
  ]);
  expect(stage.reported).toEqual([{ failed: 0, sent: 1, unconfirmed: 0, parked: 0 }]);
});

test('EV-16 completions that come together are published together, and a repeated one once', async () => {
  const { handler, bus } = await aStage();

  const answer = await handler(named(first, second, first), invocationContext());

  expect(answer).toEqual(done);
  expect(bus.taken).toHaveLength(2);
});

test('EV-16 a change between read and claim costs no poll: the completion is claimed again with the stored state', async () => {
  const { handler, bus, marker } = await aStage({ edits: 15 });

  const answer = await handler(named(first), invocationContext());

  expect(answer).toEqual(done);
  expect(bus.taken).toMatchObject([{ type: 'TransactionCompleted', from: 1, to: 2 }]);
  expect(await marker()).not.toHaveProperty('dueAtMs');
});

test('EV-16 a claim that is lost is made again, although another one of the message succeeded', async () => {
  const { handler, bus } = await aStage({ edits: 1 });

  const answer = await handler(named(first, second), invocationContext());

  expect(answer).toEqual(done);
  expect(bus.taken).toHaveLength(2);
});

test('I8 a completion of a transaction that changes all the time stays due, and its message returns', async () => {
  const { handler, bus, marker } = await aStage({ edits: 100 });

  const answer = await handler(named(first), invocationContext());

  expect([answer, bus.taken]).toEqual([again('message-0'), []]);
  expect(await marker()).toMatchObject({ version: 2 });
  expect(await marker()).not.toHaveProperty('inflight');
});

test('I7 a finished or unknown completion is not sent', async () => {
  const { handler, bus } = await aStage();

  await handler(named(first), invocationContext());
  const answer = await handler(named(first, uuidOf(9)), invocationContext());

  expect([answer, bus.taken.length]).toEqual([done, 1]);
});

test('I18 a completion that the bus did not confirm returns by its message; I6 it is the same event then', async () => {
  let isSilent = true;
  const bus = aBus(() => (isSilent ? { outcome: 'unconfirmed' } : { outcome: 'accepted', busEventId: 'b' }));
  const { handler, clock, marker } = await aStage({ bus });

  const answers = [await handler(named(first, second), invocationContext())];
  isSilent = false;
  clock.pass({ seconds: 19 });
  answers.push(await handler(named(first, second), invocationContext()));
  clock.pass({ seconds: 1 });
  answers.push(await handler(named(first, second), invocationContext()));

  expect(answers).toEqual([again('message-0', 'message-1'), again('message-0', 'message-1'), done]);
  expect(new Set(bus.taken.map(({ eventId }) => eventId)).size).toBe(2);
  expect(await marker()).not.toHaveProperty('dueAtMs');
});

test('EV-17 a completion whose stores fail is logged and counted, and returns; it never throws', async () => {
  const down = () => Promise.reject(new Error('no store'));
  const stage = await aStage();
  stage.debounceRows.getAll = down;

  const answer = await stage.handler(named(first, second), invocationContext());

  expect(answer).toEqual(again('message-0', 'message-1'));
  expect(stage.logged).toContainEqual(['flushFailed', {}]);
  expect(stage.reported).toEqual([{ failed: 1 }]);
});

test('EV-17 a completion whose claim fails for another reason than a change is left to its message, and counted', async () => {
  const stage = await aStage();
  stage.debounceRows.claim = () => Promise.reject(new Error('no store'));

  const answer = await stage.handler(named(first), invocationContext());

  expect([answer, stage.readings()]).toEqual([again('message-0'), 2]);
  expect(stage.reported).toMatchObject([{ failed: 1, sent: 0 }]);
});

test('EV-17 a completion that cannot be read does not stop others', async () => {
  const stage = await aStage();
  const { byUuid } = stage.transactions;
  const readable = oneByOne(async (uuid) => {
    if (uuid === first) throw new Error('no store');
    return byUuid(uuid);
  });
  Object.assign(stage.transactions, readable);

  const answer = await stage.handler(named(first, second), invocationContext());

  expect(answer).toEqual(again('message-0'));
  expect(stage.bus.taken).toHaveLength(1);
});

test('EV-15 a completion for more partners than there is time for is left to the next poll unchanged', async () => {
  const { handler, bus, marker, readings } = await aStage({ partners: 3 });

  const answer = await handler(named(first), invocationContext(9_000));

  expect([answer, bus.taken, readings()]).toEqual([again('message-0'), [], 2]);
  expect(await marker()).not.toHaveProperty('inflight');
});

test('DEL-1 a completion that is published after a deletion shows its payments to no partner', async () => {
  const { handler, bus, deliveryLog, marker } = await aStage({
    edits: 1,
    edited: (transaction) => ({ ...transaction, isDeleted: 1 }),
  });

  await handler(named(first), invocationContext());

  const eventId = eventIdOf('local', 'TransactionCompleted', first, { from: 1, to: 2 });
  expect(bus.taken).toEqual([]);
  expect(await deliveryLog.delivery({ eventId, clientId: 'P0' })).toMatchObject({
    ...{ state: 'SUPPRESSED', reason: 'DELETED' },
  });
  expect(await marker()).not.toHaveProperty('dueAtMs');
});
