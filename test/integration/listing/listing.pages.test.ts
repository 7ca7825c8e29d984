import { expect, test } from '@jest/globals';
import type { Grant } from '../../../functions/shared/domain/ownership/grant.ts';
import type { ListRequest } from '../../../functions/shared/domain/query/list-request.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { readRange } from '../../../functions/shared/store/listing/page-entries.ts';
import {
  type ListingSettings,
  productionSettings,
} from '../../../functions/shared/store/listing/settings.ts';
import type { TransactionReader } from '../../../functions/shared/store/transactions/reader.ts';
import { type Random, randomFrom, seedOfRun } from '../../support/builders/random.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { bulkLoad } from '../../support/engine/bulk-load.ts';
import { addTables } from '../../support/engine/engine.ts';
import { readerWithoutDrift } from '../../support/engine/transaction-reader.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { pageByForce } from '../../support/memory/transactions.ts';
import { numberVariable } from '../../support/run/numbers.ts';

/** CI asks for 50,000 with `LIST_PAGES`. */
const pagesWanted = numberVariable('LIST_PAGES', 600);
const lanes = 12;

const engine = useEngine();

const groups = ['g1', 'g2', 'g3'];
const franchises = ['f1', 'f2', 'f3'];
const locations = ['l1', 'l2', 'l3', 'l4'];
/** Every group has every location in every franchise, so that names repeat across groups. */
const members = franchises.flatMap((franchise) => locations.map((location) => ({ franchise, location })));

/** Buckets of 2 to 8 and 2 to 8 children an item: pages cross bucket, item and parent borders all the time. */
const randomSettings = (random: Random): ListingSettings => ({
  radix: { leafBits: random.integer(1, 3), fanBits: random.integer(1, 3) },
  shards: { group: random.integer(1, 4), franchise: random.integer(1, 3), location: random.integer(1, 2) },
  fewRollups: random.integer(1, 6),
  fewEntries: random.oneOf([0, 0, 3, 10]),
  unitEntries: random.oneOf([1, 2, 5, 15]),
});

const randomTransactions = (random: Random): StoredTransaction[] => {
  const busy = {
    locations: random.oneOf([locations, ['l1', 'l2']]),
    groups: random.oneOf([groups, ['g1', 'g2']]),
  };
  const complete = random.oneOf([0.05, 0.5, 0.9]);
  let sequenceNumber = 0;
  return Array.from({ length: random.integer(30, 110) }, (_, index) => {
    sequenceNumber += random.isTrue(0.1) ? random.integer(2, 12) : 1;
    const { ndMeta: owner, ...orphan } = aNewTransaction({
      uuid: uuidOf(index),
      status: random.isTrue(complete) ? 1 : 0,
      isDeleted: random.isTrue(0.05) ? 1 : 0,
      ndMeta: anOwner({
        group: random.oneOf(busy.groups),
        franchise: random.oneOf(franchises),
        location: random.oneOf(busy.locations),
      }),
    }).transaction;
    const transaction = random.isTrue(0.02) || !owner ? orphan : { ...orphan, ndMeta: owner };
    return { ...aNewTransaction(), transaction, sequenceNumber };
  });
};

/** One to eight grants of every kind; they overlap, nest and repeat. */
const randomGrants = (random: Random): Grant[] =>
  Array.from({ length: random.oneOf([1, 1, 1, 1, 2, 3, 8]) }, () => ({
    group: random.oneOf(groups),
    ...(random.isTrue(0.5) && { franchise: random.oneOf(franchises) }),
    ...(random.isTrue(0.5) && { location: random.oneOf(locations) }),
  }));

/** Every page of every size and status, and one past the end; behind some pages their cursor too. */
function* requestsFor(
  all: readonly StoredTransaction[],
  grants: Grant[],
  random: Random,
): Generator<ListRequest> {
  for (const filter of [{}, { status: 0 as const }, { status: 1 as const }]) {
    for (const perPage of [1, 10, 37, 50]) {
      const request = { scope: { kind: 'grants' as const, grants }, filter, perPage };
      const { totalCount } = pageByForce(all, { ...request, page: 1 });
      for (let page = 1; page <= Math.ceil(totalCount / perPage) + 1; page += 1) {
        yield { ...request, page };
        if (random.isTrue(0.1)) yield { ...request, page, afterUuid: random.oneOf(all).transaction.uuid };
      }
    }
  }
}

type Tally = { pages: number; cursors: number; worlds: number; differences: string[] };

const compare = async (
  reader: TransactionReader,
  all: StoredTransaction[],
  request: ListRequest,
  tally: Tally,
) => {
  const expected = pageByForce(all, request);
  const found = await reader.listWithin(request);
  const shown = ({ transactions, totalCount }: typeof found) =>
    JSON.stringify([totalCount, transactions.map(({ transaction }) => transaction.uuid)]);
  tally.pages += 1;
  if (request.afterUuid !== undefined) tally.cursors += 1;
  if (shown(expected) !== shown(found))
    tally.differences.push(`${JSON.stringify(request)}: ${shown(found)} instead of ${shown(expected)}`);
};

const compareWorld = async (random: Random, tally: Tally) => {
  tally.worlds += 1;
  const suffix = `-${tally.worlds}`;
  await addTables(engine.client, suffix, ['Transactions', 'Listing']);
  const place = {
    documents: engine.documents,
    transactionsTable: `Transactions${suffix}`,
    listingTable: `Listing${suffix}`,
    settings: randomSettings(random),
  };
  const all = randomTransactions(random);
  await bulkLoad({ ...place, drawOf: random.next }, all);
  const reader = readerWithoutDrift({
    ...{ ...place, membersOf: async () => members },
    // Readers of a deployment that has another number of shards.
    settings: { ...place.settings, shards: { group: 1, franchise: 1, location: 1 } },
  });
  const scopes = Array.from({ length: scopesOf(tally.worlds) }, () => randomGrants(random));
  const requests = scopes.flatMap((grants) => [...requestsFor(all, grants, random)]).values();
  const lane = async () => {
    for (const request of requests) await compare(reader, all, request, tally);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
};

/** A world is read whole: where few pages are wanted, through few scopes, so that there are several worlds. */
const scopesOf = (world: number): number => {
  if (world === 1) return 2;
  return pagesWanted < 5_000 ? 4 : 20;
};

test('every page of every scope, status and size equals brute force (LIST-2, PAGE-4, LINK-5)', async () => {
  const random = randomFrom(seedOfRun('pages of lists'));
  const tally: Tally = { pages: 0, cursors: 0, worlds: 0, differences: [] };

  while (tally.pages < pagesWanted && tally.differences.length === 0) await compareWorld(random, tally);

  const { differences, ...counts } = tally;
  console.info(`${JSON.stringify(counts)}, ${differences.length} differences`);
  expect(differences.slice(0, 3)).toEqual([]);
}, 1_200_000);

test('PAGE-4 a range that is read backwards from the run of all transactions begins with its last bucket', async () => {
  await addTables(engine.client, '-backwards', ['Transactions', 'Listing']);
  const place = {
    documents: engine.documents,
    transactionsTable: 'Transactions-backwards',
    listingTable: 'Listing-backwards',
    settings: { ...productionSettings, radix: { leafBits: 2, fanBits: 2 }, fewRollups: 0 },
  };
  const grants = [{ group: 'g1' }];
  const all = Array.from({ length: 20 }, (_, index) => ({
    ...aNewTransaction({ uuid: uuidOf(index + 1), ndMeta: anOwner({ group: 'g1' }) }),
    sequenceNumber: index + 1,
  }));
  await bulkLoad(place, all);
  const rollups = Array.from({ length: 3 }, (_, index) => ({ id: `r${index}`, all: 20, matching: 20 }));

  const found = await readRange(
    place,
    { grants, rollups: [], status: undefined, wanted: { count: 3, offset: 0 } },
    { from: 1, to: 21, descending: true, count: 3, rollups },
  );

  expect(found.map(({ u }) => u)).toEqual([18, 19, 20].map(uuidOf));
});
