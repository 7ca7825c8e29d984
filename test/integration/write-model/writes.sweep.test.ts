import { expect, test } from '@jest/globals';
import { createListingAuditor } from '../../../bin/operator/store/listing/audit.ts';
import { createImportWriter } from '../../../bin/operator/store/transactions/import-writer.ts';
import { newTransaction } from '../../../functions/shared/domain/transaction/new-transaction.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { notifyKey } from '../../../functions/shared/events/rows.ts';
import { createDebounceTable } from '../../../functions/shared/events/table.ts';
import { oldestCreationMs, sweepUntouched } from '../../../functions/shared/store/transactions/sweep.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { addTables, clientOf, documentsOf } from '../../support/engine/engine.ts';
import { type ChooseFault, injectFaults } from '../../support/engine/faults.ts';
import { readerWithoutDrift } from '../../support/engine/transaction-reader.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { tinySettings } from './write-world.ts';

const engine = useEngine();
let sets = 0;

const retryDelays = { random: () => 0, sleep: async () => {} };
const now = new Date('2026-03-31T12:00:00Z');
const justOld = new Date('2026-03-01T12:00:00Z');
const tooYoung = new Date('2026-03-01T12:00:00.001Z');

/** A store of its own with the sweep over it; the sweep's requests may meet faults, the store's do not. */
const openStore = async (choose: ChooseFault = () => undefined) => {
  sets += 1;
  await addTables(engine.client, `-${sets}`, ['Listing', 'Transactions', 'Debounce']);
  const tables = {
    transactionsTable: `Transactions-${sets}`,
    listingTable: `Listing-${sets}`,
    debounceTable: `Debounce-${sets}`,
    settings: tinySettings,
  };
  const deps = { documents: engine.documents, ...tables, membersOf: async () => [] };
  const documents = documentsOf(clientOf(engine.endpoint));
  injectFaults(documents, choose);
  const sweepDeps = { documents, ...tables, retryDelays };
  return {
    ...readerWithoutDrift(deps),
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

/** Moved by its session, of which no partner is notified. */
const moved = (stored: StoredTransaction): StoredTransaction => ({
  ...stored,
  version: stored.version + 1,
  notifyFromVersion: stored.version + 2,
  transaction: { ...stored.transaction, ndMeta: anOwner({ location: 'location-b' }) },
});

const importOf = (number: number, createdAtMs = 0) =>
  aNewTransaction({ uuid: uuidOf(number) }, { notifyFromVersion: 2, createdAtMs, updatedAtMs: createdAtMs });

/** The total of the group that owns all transactions, and what is wrong with the listing. */
const listingOf = async (store: Store) => {
  const scope = { kind: 'grants' as const, grants: [{ group: 'group-a' }] };
  const { totalCount } = await store.listWithin({ scope, filter: {}, page: 1, perPage: 10 });
  const { entryDrift, counterDrift } = await store.audit();
  return { totalCount, drift: [...entryDrift, ...counterDrift] };
};

/** A client whose first command of this name waits until it is let go. */
const heldAt = (name: string) => {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const documents = documentsOf(clientOf(engine.endpoint));
  documents.middlewareStack.add(
    (next, context) => async (request) => {
      if (context.commandName !== name) return next(request);
      reached.resolve();
      await released.promise;
      return next(request);
    },
    { step: 'initialize' },
  );
  return { documents, reached: reached.promise, letGo: released.resolve };
};

test('V1-8 a transaction unchanged for 30 days is removed with its listing and its debounce row', async () => {
  const store = await openStore();
  await visits(store, 1, 7, justOld);
  await visits(store, 8, 9, tooYoung);
  const { recordChange, read } = createDebounceTable(store.sweepDeps);
  for (const number of [7, 8]) await recordChange({ uuid: uuidOf(number), changed: [], dueAtMs: 1 });

  expect(await store.sweep()).toEqual({ checked: 9, removed: 7, upTo: 7, isDone: true });

  expect(await store.byUuid(uuidOf(7))).toBeUndefined();
  expect((await store.byUuid(uuidOf(8)))?.sequenceNumber).toBe(8);
  expect((await read([7, 8].map(uuidOf).map(notifyKey))).map(({ uuid }) => uuid)).toEqual([uuidOf(8)]);
  expect(await store.newestIncomplete('session-3')).toBeUndefined();
  expect(await listingOf(store)).toEqual({ totalCount: 2, drift: [] });
});

test('V1-8 a checkout that was too young for several sweeps is removed when it is 30 days old', async () => {
  const store = await openStore();
  await visits(store, 1, 2, justOld);
  await visits(store, 3, 4, tooYoung);
  await store.sweep();

  expect(await store.sweep()).toMatchObject({ removed: 0, upTo: 2 });
  expect(await store.sweep(1000, new Date(now.getTime() + 1))).toMatchObject({ removed: 2, upTo: 4 });
});

test('V1-8 EV-10 a changed, deleted or imported transaction, and one created with content, is kept, and one that was only moved is not', async () => {
  const store = await openStore();
  const [changed, deleted] = [await visit(store, 1, justOld), await visit(store, 2, justOld)];
  await store.replace(changed, edited(changed));
  const gone = { ...deleted.transaction, isDeleted: 1 as const };
  await store.replace(deleted, { ...edited(deleted), transaction: gone });
  await store.create(
    aNewTransaction({ uuid: uuidOf(3) }, { session: 'session-3', createdAtMs: justOld.getTime() }),
  );
  await store.createMany([importOf(4)]);
  const opened = await visit(store, 5, justOld);
  await store.replace(opened, moved(opened));
  await visit(store, 6, justOld);

  expect(await store.sweep()).toMatchObject({ removed: 2, upTo: 6, isDone: true });

  const kept = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => store.byUuid(uuidOf(number))));
  expect(kept.map((one) => one?.sequenceNumber)).toEqual([1, 2, 3, 4, undefined, undefined]);
  expect((await listingOf(store)).drift).toEqual([]);
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
  const slow = heldAt('TransactWriteItemsCommand');
  const creating = createImportWriter({ ...store.sweepDeps, documents: slow.documents }).create(inFlight);
  await slow.reached;
  await store.createMany([importOf(2), importOf(3, Date.parse('2099-01-01')), importOf(4)]);

  const first = await store.sweep();
  slow.letGo();
  await creating;
  const second = await store.sweep();
  const third = await store.sweep();

  expect(first).toEqual({ checked: 3, removed: 0, upTo: 0, isDone: true });
  expect(second).toEqual({ checked: 4, removed: 1, upTo: 4, isDone: true });
  expect(third).toEqual({ checked: 0, removed: 0, upTo: 4, isDone: true });
});

test('V1-8 imported transactions are passed at the second sweep after their import, at the end of the list, too', async () => {
  const store = await openStore();
  const marks: number[] = [];
  for (const number of [1, 2]) {
    await store.createMany([importOf(number)]);
    for (let sweeps = 0; sweeps < 2; sweeps += 1) marks.push((await store.sweep()).upTo);
  }

  expect(marks).toEqual([0, 1, 1, 2]);
});

test('V1-8 the mark never goes back: of two parallel sweeps the later mark stays', async () => {
  const store = await openStore();
  for (let number = 1; number <= 8; number += 1) {
    const fresh = await visit(store, number, justOld);
    await store.replace(fresh, edited(fresh));
  }
  const slow = heldAt('UpdateItemCommand');

  const slowSweep = sweepUntouched({ ...store.sweepDeps, documents: slow.documents }, { now, limit: 1 });
  await slow.reached;
  const quickSweep = await store.sweep();
  slow.letGo();

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
  expect((await listingOf(store)).drift).toEqual([]);
});

test('V1-8 EV-10 a move at the last moment keeps nothing: the mark passes it once', async () => {
  const store = await sweepWithChangeBetween(moved);

  expect(await store.sweep()).toEqual({ checked: 1, removed: 1, upTo: 1, isDone: true });

  expect(await store.byUuid(uuidOf(1))).toBeUndefined();
  expect(await listingOf(store)).toEqual({ totalCount: 0, drift: [] });
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

    expect(await listingOf(store)).toEqual({ totalCount: 0, drift: [] });
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
  expect(await listingOf(store)).toEqual({ totalCount: 0, drift: [] });
});

test('two parallel sweeps remove each transaction once', async () => {
  const store = await openStore();
  await visits(store, 1, 9, justOld);

  const runs = await Promise.all([store.sweep(), store.sweep()]);

  expect(runs.reduce((sum, { removed }) => sum + removed, 0)).toBe(9);
  expect(await listingOf(store)).toEqual({ totalCount: 0, drift: [] });
});

test('V1-8 the oldest creation is found behind removed ones', async () => {
  const store = await openStore();
  expect(await oldestCreationMs(store.sweepDeps)).toBeUndefined();
  for (const number of [1, 2, 3, 4, 5]) await visit(store, number, justOld);
  await store.sweep();
  for (const number of [6, 7]) await visit(store, number, tooYoung);

  expect(await oldestCreationMs(store.sweepDeps)).toBe(tooYoung.getTime());
});
