import { expect, test } from '@jest/globals';
import { createListingAuditor } from '../../../bin/operator/store/listing/audit.ts';
import { createImportWriter } from '../../../bin/operator/store/transactions/import-writer.ts';
import { newTransaction } from '../../../functions/shared/domain/transaction/new-transaction.ts';
import type {
  StoredTransaction,
  Transaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { createTransactionReader } from '../../../functions/shared/store/transactions/reader.ts';
import { oldestCreationMs, sweepUntouched } from '../../../functions/shared/store/transactions/sweep.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { addTables, clientOf, documentsOf } from '../../support/engine/engine.ts';
import { type ChooseFault, injectFaults } from '../../support/engine/faults.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();
let sets = 0;

const settings = {
  radix: { leafBits: 2, fanBits: 2 },
  shards: { group: 2, franchise: 2, location: 1 },
  fewRollups: 2,
  fewEntries: 0,
  unitEntries: 3,
};
const retryDelays = { random: () => 0, sleep: async () => {} };
const now = new Date('2026-03-31T12:00:00Z');
const justOld = new Date('2026-03-01T12:00:00Z');
const tooYoung = new Date('2026-03-01T12:00:00.001Z');

/** A store of its own with the sweep over it; the sweep's requests may meet faults, the store's do not. */
const openStore = async (choose: ChooseFault = () => undefined) => {
  sets += 1;
  await addTables(engine.client, `-${sets}`, ['Listing', 'Transactions']);
  const tables = { transactionsTable: `Transactions-${sets}`, listingTable: `Listing-${sets}`, settings };
  const deps = { documents: engine.documents, ...tables, membersOf: async () => [] };
  const documents = documentsOf(clientOf(engine.endpoint));
  injectFaults(documents, choose);
  const sweepDeps = { documents, ...tables, retryDelays };
  return {
    ...createTransactionReader(deps),
    ...createImportWriter(deps),
    ...createListingAuditor(deps),
    sweepDeps,
    sweep: (limit = 1000, at = now) => sweepUntouched(sweepDeps, { now: at, limit }),
  };
};
type Store = Awaited<ReturnType<typeof openStore>>;

const visit = async (store: Store, number: number, at: Date) => {
  const fresh = newTransaction({
    uuid: uuidOf(number),
    owner: anOwner(),
    session: `session-${number}`,
    now: at,
  });
  const outcome = await store.create(fresh);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.value;
};

const visits = async (store: Store, from: number, to: number, at: Date) => {
  for (let number = from; number <= to; number += 1) await visit(store, number, at);
};

const edited = (stored: StoredTransaction): StoredTransaction => ({
  ...stored,
  version: 2,
  updatedAtMs: stored.updatedAtMs + 1,
  transaction: { ...stored.transaction, guestEmail: 'a@example.com' },
});

const elsewhere = anOwner({ location: 'location-b' });

const silently = (stored: StoredTransaction, changes: Partial<Transaction>): StoredTransaction => ({
  ...stored,
  version: stored.version + 1,
  notifyFromVersion: stored.version + 2,
  transaction: { ...stored.transaction, ...changes },
});

const importOf = (number: number, createdAtMs = 0) =>
  aNewTransaction({ uuid: uuidOf(number) }, { notifyFromVersion: 2, createdAtMs, updatedAtMs: createdAtMs });

const total = async (store: Store) =>
  (
    await store.listWithin({
      scope: { kind: 'grants', grants: [{ group: 'group-a' }] },
      filter: {},
      page: 1,
      perPage: 10,
    })
  ).totalCount;

const drift = async (store: Store) => {
  const { entryDrift, counterDrift } = await store.audit();
  return [...entryDrift, ...counterDrift];
};

test('a transaction unchanged for 30 days is removed with its listing (V1-8)', async () => {
  const store = await openStore();
  await visits(store, 1, 7, justOld);
  await visits(store, 8, 9, tooYoung);

  expect(await store.sweep()).toEqual({ checked: 9, removed: 7, upTo: 7, isDone: true });

  expect(await store.byUuid(uuidOf(7))).toBeUndefined();
  expect((await store.byUuid(uuidOf(8)))?.sequenceNumber).toBe(8);
  expect(await store.newestIncomplete('session-3')).toBeUndefined();
  expect(await total(store)).toBe(2);
  expect(await drift(store)).toEqual([]);
});

test('V1-8 EV-10 a transaction that was only moved is removed as well, and any other change keeps it', async () => {
  const store = await openStore();
  const first = await visit(store, 1, justOld);
  await store.replace(first, silently(first, { ndMeta: elsewhere }));
  const second = await visit(store, 2, justOld);
  await store.replace(second, { ...silently(second, { extras: { mats: 1 } }), notifyFromVersion: 2 });

  expect(await store.sweep()).toMatchObject({ removed: 1, upTo: 2, isDone: true });
  expect(await store.byUuid(uuidOf(1))).toBeUndefined();
  expect(await drift(store)).toEqual([]);
});

test('a changed, deleted or imported transaction, and one created with content, is kept (V1-8)', async () => {
  const store = await openStore();
  const changed = await visit(store, 1, justOld);
  await store.replace(changed, edited(changed));
  const deleted = await visit(store, 2, justOld);
  const gone = { ...edited(deleted), transaction: { ...deleted.transaction, isDeleted: 1 as const } };
  await store.replace(deleted, gone);
  await store.create(
    aNewTransaction({ uuid: uuidOf(3) }, { session: 'session-3', createdAtMs: justOld.getTime() }),
  );
  await store.createMany([importOf(4)]);
  await visit(store, 5, justOld);

  expect(await store.sweep()).toMatchObject({ removed: 1, upTo: 5, isDone: true });

  const kept = await Promise.all([1, 2, 3, 4].map((number) => store.byUuid(uuidOf(number))));
  expect(kept.map((stored) => stored?.sequenceNumber)).toEqual([1, 2, 3, 4]);
  expect(await store.byUuid(uuidOf(5))).toBeUndefined();
  expect(await drift(store)).toEqual([]);
});

test('each invocation continues where the last one ended (V1-8)', async () => {
  const store = await openStore();
  await visits(store, 1, 10, justOld);

  const runs = [await store.sweep(1), await store.sweep(1), await store.sweep(1), await store.sweep(1)];

  expect(runs).toEqual([
    { checked: 3, removed: 3, upTo: 3, isDone: false },
    { checked: 4, removed: 4, upTo: 7, isDone: false },
    { checked: 3, removed: 3, upTo: 10, isDone: false },
    { checked: 0, removed: 0, upTo: 10, isDone: true },
  ]);
});

test('an import of any date stops no sweep and hides no creation under way', async () => {
  const store = await openStore();
  const inFlight = newTransaction({ uuid: uuidOf(1), owner: anOwner(), session: 's', now: justOld });
  const [reserved, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = documentsOf(clientOf(engine.endpoint));
  slow.middlewareStack.add(
    (next, context) => async (request) => {
      if (context.commandName !== 'TransactWriteItemsCommand') return next(request);
      reserved.resolve();
      await written.promise;
      return next(request);
    },
    { step: 'initialize' },
  );
  const creating = createImportWriter({ ...store.sweepDeps, documents: slow }).create(inFlight);
  await reserved.promise;
  await store.createMany([importOf(2), importOf(3, Date.parse('2099-01-01')), importOf(4)]);

  const first = await store.sweep();
  written.resolve();
  await creating;
  const second = await store.sweep();
  const third = await store.sweep();

  expect(first).toEqual({ checked: 3, removed: 0, upTo: 0, isDone: true });
  expect(second).toEqual({ checked: 4, removed: 1, upTo: 4, isDone: true });
  expect(third).toEqual({ checked: 0, removed: 0, upTo: 4, isDone: true });
});

test('V1-8 the mark never goes back: of two parallel sweeps the later mark stays', async () => {
  const store = await openStore();
  for (let number = 1; number <= 8; number += 1) {
    const fresh = await visit(store, number, justOld);
    await store.replace(fresh, edited(fresh));
  }
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = documentsOf(clientOf(engine.endpoint));
  slow.middlewareStack.add(
    (next, context) => async (request) => {
      if (context.commandName !== 'UpdateItemCommand') return next(request);
      reached.resolve();
      await released.promise;
      return next(request);
    },
    { step: 'initialize' },
  );

  const slowSweep = sweepUntouched({ ...store.sweepDeps, documents: slow }, { now, limit: 1 });
  await reached.promise;
  const quickSweep = await store.sweep();
  released.resolve();

  expect(await slowSweep).toEqual({ checked: 3, removed: 0, upTo: 3, isDone: false });
  expect(quickSweep).toEqual({ checked: 8, removed: 0, upTo: 8, isDone: true });
  expect(await store.sweep()).toEqual({ checked: 0, removed: 0, upTo: 8, isDone: true });
});

/** A sweep whose removal of the one old transaction finds it changed in this way since it was read. */
const sweepWithChangeBetween = async (change: (stored: StoredTransaction) => StoredTransaction) => {
  let isStruck = false;
  const store = await openStore((command) => {
    if (command !== 'TransactWriteItemsCommand' || isStruck) return undefined;
    isStruck = true;
    return 'throttle';
  });
  const last = await visit(store, 1, justOld);
  store.sweepDeps.retryDelays = {
    ...retryDelays,
    sleep: async () => {
      await store.replace(last, change(last));
    },
  };
  return store;
};

test('a change at the last moment keeps its transaction (V1-8)', async () => {
  const store = await sweepWithChangeBetween(edited);

  expect(await store.sweep()).toEqual({ checked: 1, removed: 0, upTo: 1, isDone: true });

  expect((await store.byUuid(uuidOf(1)))?.version).toBe(2);
  expect(await drift(store)).toEqual([]);
});

test('V1-8 EV-10 a move at the last moment keeps nothing: the mark passes it once', async () => {
  const store = await sweepWithChangeBetween((stored) => silently(stored, { ndMeta: elsewhere }));

  expect(await store.sweep()).toEqual({ checked: 1, removed: 1, upTo: 1, isDone: true });

  expect(await store.byUuid(uuidOf(1))).toBeUndefined();
  expect([await total(store), await drift(store)]).toEqual([0, []]);
});

test.each(['answer-lost', 'answer-and-token-lost', 'duplicate', 'conflict', 'crash-before-send'] as const)(
  'with a fault of kind %s in every other write each is removed and counted once',
  async (fault) => {
    let writes = 0;
    const store = await openStore((command) => {
      if (command !== 'TransactWriteItemsCommand') return undefined;
      writes += 1;
      return writes % 2 === 1 ? fault : undefined;
    });
    await visits(store, 1, 6, justOld);

    expect(await store.sweep()).toEqual({ checked: 6, removed: 6, upTo: 6, isDone: true });

    expect(await total(store)).toBe(0);
    expect(await drift(store)).toEqual([]);
  },
);

test('a failed invocation leaves the mark behind what it finished, and the next one completes the work', async () => {
  let isDown = true;
  const store = await openStore((command, { TransactItems }) => {
    if (!isDown || command !== 'TransactWriteItemsCommand') return undefined;
    return JSON.stringify(TransactItems).includes(uuidOf(6)) ? 'throttle' : undefined;
  });
  await visits(store, 1, 9, justOld);

  await expect(store.sweep()).rejects.toThrow('ProvisionedThroughputExceeded');
  isDown = false;

  expect(await store.sweep()).toEqual({ checked: 4, removed: 4, upTo: 9, isDone: true });
  expect(await total(store)).toBe(0);
  expect(await drift(store)).toEqual([]);
});

test('two parallel sweeps remove each transaction once', async () => {
  const store = await openStore();
  await visits(store, 1, 9, justOld);

  const runs = await Promise.all([store.sweep(), store.sweep()]);

  expect(runs.reduce((sum, { removed }) => sum + removed, 0)).toBe(9);
  expect(await total(store)).toBe(0);
  expect(await drift(store)).toEqual([]);
});

test('V1-8 the oldest creation is found behind removed ones', async () => {
  const store = await openStore();
  expect(await oldestCreationMs(store.sweepDeps)).toBeUndefined();
  for (const number of [1, 2, 3, 4, 5]) await visit(store, number, justOld);
  await store.sweep();
  for (const number of [6, 7]) await visit(store, number, tooYoung);

  expect(await oldestCreationMs(store.sweepDeps)).toBe(tooYoung.getTime());
});
