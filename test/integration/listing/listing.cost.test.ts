import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ListFilter } from '../../../functions/shared/domain/listing/columns.ts';
import { covers, type Grant } from '../../../functions/shared/domain/ownership/grant.ts';
import { productionSettings } from '../../../functions/shared/store/listing/settings.ts';
import { type Engine, startDynoxide } from '../../../localstack/embedded/engine.ts';
import { clientOf, documentsOf } from '../../support/engine/engine.ts';
import { injectFaults } from '../../support/engine/faults.ts';
import { type LoadedDatabase, loadDatabase } from '../../support/engine/load-database.ts';
import { createMeter } from '../../support/engine/meter.ts';
import { grantsOf, syntheticTransactions } from '../../support/engine/synthetic-transactions.ts';
import { readerWithoutDrift } from '../../support/engine/transaction-reader.ts';
import { pageByForce } from '../../support/memory/transactions.ts';

/**
 * A group of 600 locations with a third of them, and five groups of 50. Their sequence numbers leave gaps as wide as a child of
 * level 2, 65,536: pages cross from one such child to the next, and the last one holds few of the locations.
 */
const all = [...syntheticTransactions(3_000)].map((stored) => ({
  ...stored,
  sequenceNumber:
    stored.sequenceNumber + 70_000 * [1_500, 2_400].filter((last) => stored.sequenceNumber > last).length,
}));

let database: LoadedDatabase;
let engine: Engine;

beforeAll(async () => {
  database = loadDatabase(all, productionSettings);
  engine = await startDynoxide({ dbPath: database.dbPath, environment: { PATH: process.env.PATH } });
}, 60_000);
afterAll(async () => {
  await engine.stop();
  database.remove();
});

const aReader = () => {
  const documents = documentsOf(clientOf(engine.endpoint));
  // What is not read consistently is not there.
  injectFaults(documents, () => undefined);
  const tables = { transactionsTable: 'Transactions', listingTable: 'Listing' };
  const meter = createMeter(documents, tables.listingTable);
  const reader = readerWithoutDrift({ documents, ...tables, membersOf: async () => [] });
  return async (grants: Grant[], page: number, { perPage = 10, afterUuid, ...filter }: Asked) => {
    const scope = { kind: 'grants' as const, grants };
    const request = { scope, filter, page, perPage, ...(afterUuid && { afterUuid }) };
    let shown: unknown;
    const { index, waves, requests } = await meter(async () => {
      shown = await reader.listWithin(request);
    });
    return { shown, byForce: pageByForce(all, request), cost: [index, waves, requests] };
  };
};

const group = grantsOf(1);
const locations = (count: number) => grantsOf(500).slice(0, count);
const ofGroup = all.filter(({ transaction }) => covers(group, transaction.ndMeta));
const afterUuid = ofGroup[400]?.transaction.uuid ?? '';
const ofMany = all.filter(({ transaction }) => covers(locations(100), transaction.ndMeta));
const afterUuidOfMany = ofMany[20]?.transaction.uuid ?? '';
const complete = { status: 1 } as const;
const incomplete = { status: 0 } as const;

type Asked = ListFilter & { perPage?: number; afterUuid?: string };

type Row = [
  grants: Grant[],
  asked: Asked,
  page: number,
  cost: [units: number, waves: number, requests: number],
];

/** The pages of a table are asked for one after the other, by one process: it remembers nothing. */
const tables: Record<string, Row[]> = {
  'a group': [
    // The root and the page beside it, then the records.
    [group, {}, 1, [2, 2, 3]],
    // The root, then the page from the nearer end.
    [group, {}, 102, [2, 3, 3]],
    [group, {}, 2, [2, 3, 3]],
    [group, {}, 10, [3, 3, 3]],
    [group, {}, 93, [3, 3, 3]],
    // The root, two levels of counters, the entries, the records.
    [group, {}, 12, [6, 5, 5]],
    [group, {}, 11, [5, 5, 5]],
    [group, {}, 91, [5, 5, 5]],
    // Across two children of level 2.
    [group, {}, 51, [5, 5, 6]],
    // Past the end the root says enough.
    [group, {}, 500, [1, 1, 1]],
    [group, { perPage: 1 }, 1_014, [1, 1, 1]],
  ],
  'the complete ones of a group': [
    // As without the filter: a read unit of the run's first or last entries holds enough of them.
    [group, complete, 1, [2, 2, 3]],
    [group, incomplete, 1, [2, 2, 3]],
    [group, complete, 31, [2, 3, 3]],
    [group, incomplete, 71, [2, 3, 3]],
    [group, complete, 15, [5, 6, 6]],
    [group, complete, 29, [6, 6, 6]],
    [group, incomplete, 15, [7, 6, 6]],
    // It does not hold fifty: then the counters do.
    [group, { ...complete, perPage: 50 }, 1, [8, 6, 7]],
    // Thirteen are in two units of the last entries, 39 in more, which the roots tell before.
    [group, { ...complete, perPage: 29 }, 11, [3, 3, 3]],
    [group, { ...complete, perPage: 44 }, 7, [7, 6, 6]],
  ],
  'a page that is asked for again': [
    [group, {}, 102, [2, 3, 3]],
    [group, {}, 102, [2, 3, 3]],
  ],
  'behind a cursor of a group': [
    // Its record, the root and what follows it beside that, then the records.
    [group, { afterUuid }, 40, [2, 3, 4]],
    [group, { ...complete, afterUuid }, 10, [2, 3, 4]],
  ],
  // The run of all transactions begins before it: the counters find it.
  'behind a cursor of 100 locations': [[locations(100), { afterUuid: afterUuidOfMany }, 3, [75, 6, 60]]],
  'the complete ones of ten locations of 50': [
    [grantsOf(10), complete, 1, [11, 2, 12]],
    [grantsOf(10), complete, 3, [10, 3, 11]],
    [grantsOf(10), incomplete, 6, [11, 3, 12]],
  ],
  'two locations of 600': [
    // A Query for each root.
    [locations(2), {}, 1, [4, 2, 5]],
  ],
  // One Query for all roots of the group, a Query for each run.
  'nine locations of 600': [[locations(9), {}, 1, [14, 2, 11]]],
  'ten locations of 50': [[grantsOf(10), {}, 4, [11, 3, 12]]],
  '17 locations of 600': [
    // For page 1, 250 of the first 1,024 of all transactions are looked through; others read the runs.
    [locations(17), {}, 1, [33, 5, 21]],
    [locations(17), {}, 2, [21, 3, 18]],
  ],
  // A Query for each of the rollups that have something there.
  '40 locations of 600': [
    [locations(40), {}, 2, [98, 5, 95]],
    [locations(40), {}, 5, [88, 5, 85]],
  ],
  '500 locations of 600': [
    // All locations of the group cost less than a Query for each of 500.
    [locations(500), {}, 1, [7, 2, 3]],
    [locations(500), {}, 40, [27, 5, 5]],
    [locations(500), complete, 1, [24, 6, 6]],
    // The last child holds few of the group's rollups; still it is a large group, whose roots are read one by one.
    [locations(500), {}, 86, [13, 5, 5]],
  ],
  'a group beside ten locations of another': [
    [[...group, ...grantsOf(10)], {}, 1, [13, 2, 14]],
    [[...group, ...grantsOf(10)], {}, 40, [14, 5, 15]],
  ],
};

test.each(Object.entries(tables))(
  'STO-4 S-34 %s: read units of the listing, waves, requests',
  async (_, rows) => {
    const read = aReader();
    const costs: Row[] = [];
    for (const [grants, asked, page] of rows) {
      const { shown, byForce, cost } = await read(grants, page, asked);
      expect(shown).toEqual(byForce);
      costs.push([grants, asked, page, cost as Row[3]]);
    }

    const briefly = (all: Row[]) => all.map(([, asked, page, cost]) => JSON.stringify([asked, page, cost]));
    expect(briefly(costs)).toEqual(briefly(rows));
  },
);
