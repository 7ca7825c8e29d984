import { expect, test } from '@jest/globals';
import { createListingAuditor } from '../../../bin/operator/store/listing/audit.ts';
import {
  createImportWriter,
  type ImportWriter,
} from '../../../bin/operator/store/transactions/import-writer.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import {
  createTransactionReader,
  type TransactionReader,
} from '../../../functions/shared/store/transactions/reader.ts';
import { type Random, randomFrom, seedOfRun } from '../../support/builders/random.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { clientOf, documentsOf } from '../../support/engine/engine.ts';
import { type Fault, injectFaults } from '../../support/engine/faults.ts';
import { readerWithoutDrift } from '../../support/engine/transaction-reader.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { numberVariable } from '../../support/run/numbers.ts';

const writers = 16;
/** CI asks for 60 with `CHAOS_WRITES`. */
const writesEach = numberVariable('CHAOS_WRITES', 10);

const engine = useEngine();

const groups = ['g1', 'g2', 'g3'];
const everything = { kind: 'grants' as const, grants: groups.map((group) => ({ group })) };
const settings = {
  radix: { leafBits: 3, fanBits: 2 },
  shards: { group: 3, franchise: 2, location: 1 },
  fewRollups: 2,
  fewEntries: 0,
  unitEntries: 3,
};
const tables = {
  transactionsTable: 'Transactions',
  listingTable: 'Listing',
  debounceTable: 'Debounce',
  settings,
};

/** One request in four meets a fault. */
const faults: Fault[] = [
  'conflict',
  'throttle',
  'crash-before-send',
  'answer-lost',
  'answer-and-token-lost',
  'duplicate',
  'unprocessed-keys',
];

const randomOwner = (random: Random) =>
  anOwner({
    group: random.oneOf(groups),
    franchise: random.oneOf(['f1', 'f2']),
    location: random.oneOf(['l1', 'l2', 'l3']),
  });

const randomVehicle = (random: Random) => ({
  identifiers: { ndstockid: `stock-${random.integer(1, 5)}`, salesmasterid: `sales-${random.integer(1, 5)}` },
});

/** Complete, delete, restore, move, other identifiers, or an update that no list shows. */
const randomChange = (random: Random, { transaction }: StoredTransaction) =>
  random.oneOf([
    () => ({ status: 1 as const, editable: false }),
    () => ({ isDeleted: transaction.isDeleted === 1 ? (0 as const) : (1 as const) }),
    () => ({ ndMeta: randomOwner(random) }),
    () => ({ ndMeta: randomOwner(random), vehicle: randomVehicle(random) }),
    () => ({ vehicle: randomVehicle(random) }),
    () => ({ guestEmail: `${random.integer(1, 1e9)}@example.com` }),
  ])();

const afterChange = (random: Random, before: StoredTransaction): StoredTransaction => ({
  ...before,
  version: before.version + 1,
  updatedAtMs: before.updatedAtMs + random.integer(1, 1e6),
  transaction: { ...before.transaction, ...randomChange(random, before) },
});

type Model = {
  /** What each uuid's last acknowledged write left. */
  acknowledged: Map<string, StoredTransaction>;
  writes: number;
  refused: number;
};

type Store = TransactionReader & ImportWriter;

/** Creates and changes records of its own, so that it knows how each must end. */
const runWriter = async (store: Store, random: Random, writer: number, model: Model) => {
  const own: string[] = [];
  for (let write = 0; write < writesEach; write += 1) {
    if (own.length < 3 || random.isTrue(0.25)) {
      const uuid = uuidOf(writer * 10_000 + write);
      const created = await store.create(
        aNewTransaction(
          { uuid, ndMeta: randomOwner(random), vehicle: randomVehicle(random) },
          { session: `session-${writer}` },
        ),
      );
      own.push(uuid);
      acknowledge(model, uuid, created);
    } else {
      const uuid = random.oneOf(own);
      const before = await store.byUuid(uuid);
      if (!before) throw new Error(`${uuid} was acknowledged and is not there`);
      acknowledge(model, uuid, await store.replace(before, afterChange(random, before)));
    }
  }
};

const acknowledge = (
  model: Model,
  uuid: string,
  outcome: Awaited<ReturnType<ImportWriter['create'] | ImportWriter['replace']>>,
) => {
  model.writes += 1;
  if (outcome.ok) model.acknowledged.set(uuid, outcome.value);
  else model.refused += 1;
};

/** All race for one record; of those who saw the same version one may win. */
const runRacer = async (store: Store, random: Random, shared: string, wins: number[]) => {
  for (let turn = 0; turn < 6; turn += 1) {
    const before = await store.byUuid(shared);
    if (!before) throw new Error('the shared record is gone');
    const outcome = await store.replace(before, afterChange(random, before));
    if (outcome.ok) wins.push(outcome.value.version);
  }
};

type Seen = { walks: number; pages: number; short: number; doubled: number; lost: number };

/** Follows cursors from the first page to the end: untouched records appear exactly once each time. */
const walkOnce = async (reader: TransactionReader, still: readonly string[], seen: Seen) => {
  const uuids: string[] = [];
  let afterUuid: string | undefined;
  for (let page = 1; page < 200; page += 1) {
    const request = { scope: everything, filter: {}, page, perPage: 10, ...(afterUuid && { afterUuid }) };
    const { transactions } = await reader.listWithin(request);
    seen.pages += 1;
    if (transactions.length > 0 && transactions.length < 10) seen.short += 1;
    if (transactions.length === 0) break;
    uuids.push(...transactions.map(({ transaction }) => transaction.uuid));
    afterUuid = uuids.at(-1);
  }
  seen.walks += 1;
  seen.doubled += uuids.length - new Set(uuids).size;
  seen.lost += still.filter((uuid) => !uuids.includes(uuid)).length;
};

test('after conflicts, crashes, lost answers and duplicates nothing is lost, doubled or miscounted', async () => {
  const random = randomFrom(seedOfRun('chaos of writers and lists'));
  const documents = documentsOf(clientOf(engine.endpoint));
  const struck = injectFaults(documents, () => (random.isTrue(0.25) ? random.oneOf(faults) : undefined));
  const retryDelays = { random: random.next, sleep: () => new Promise((resolve) => setImmediate(resolve)) };
  const deps = { documents, ...tables, retryDelays, membersOf: async () => [] };
  // A list during writes may be short, which the walks count.
  const reader = createTransactionReader({ ...deps, onDrift: () => {} });
  const store = { ...reader, ...createImportWriter(deps) };
  const model: Model = { acknowledged: new Map(), writes: 0, refused: 0 };
  const still = Array.from({ length: 45 }, (_, index) => uuidOf(1_000_000 + index));
  await store.createMany(still.map((uuid) => aNewTransaction({ uuid, ndMeta: randomOwner(random) })));
  const shared = uuidOf(2_000_000);
  await store.create(aNewTransaction({ uuid: shared }));
  const seen: Seen = { walks: 0, pages: 0, short: 0, doubled: 0, lost: 0 };
  const wins: number[] = [];
  let isWriting = true;

  const walking = (async () => {
    while (isWriting) await walkOnce(store, still, seen);
  })();
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      await runWriter(store, random, writer, model);
      await runRacer(store, random, shared, wins);
    }),
  );
  isWriting = false;
  await walking;

  const audit = await createListingAuditor({ documents: engine.documents, ...tables }).audit();
  const { entryDrift, counterDrift, ...counted } = audit;
  console.info(
    `${JSON.stringify({ writes: model.writes, refused: model.refused, races: wins.length })}, ` +
      `faults ${JSON.stringify(struck)}, lists ${JSON.stringify(seen)}, audit ${JSON.stringify(counted)}`,
  );
  expect({ entryDrift, counterDrift }).toEqual({ entryDrift: [], counterDrift: [] });
  const clean = readerWithoutDrift({
    documents: engine.documents,
    ...tables,
    membersOf: async () => [],
  });
  for (const [uuid, expected] of model.acknowledged) expect(await clean.byUuid(uuid)).toEqual(expected);
  expect(model.refused).toBe(0);
  expect(new Set(wins).size).toBe(wins.length);
  expect({ doubled: seen.doubled, lost: seen.lost }).toEqual({ doubled: 0, lost: 0 });
}, 300_000);
