import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { ListFilter } from '../../functions/shared/domain/listing/columns.ts';
import { rollupsOfGrants } from '../../functions/shared/domain/ownership/rollup.ts';
import { createDocumentClient } from '../../functions/shared/store/dynamodb/client.ts';
import { runPartition } from '../../functions/shared/store/listing/keys.ts';
import { productionSettings } from '../../functions/shared/store/listing/settings.ts';
import type { TransactionReader } from '../../functions/shared/store/transactions/reader.ts';
import { startDynoxide } from '../../localstack/embedded/engine.ts';
import { randomFrom } from '../support/builders/random.ts';
import { clientOf, documentsOf, settingsFor } from '../support/engine/engine.ts';
import { loadDatabase } from '../support/engine/load-database.ts';
import { type Cost, createMeter, type Meter } from '../support/engine/meter.ts';
import { grantsOf, syntheticTransactions } from '../support/engine/synthetic-transactions.ts';
import { readerWithoutDrift } from '../support/engine/transaction-reader.ts';
import { median, print, type Row, timed } from './measuring.ts';

const tables = { transactionsTable: 'Transactions', listingTable: 'Listing', membersOf: async () => [] };
const perPage = 10;
const sampledPages = 40;
const timedRounds = 150;
/** Rounds before the clock starts: the first ones compile the code. */
const warmRounds = 50;

/** Goals of the listing (docs/listing.md) by the number of grants, in strongly consistent read units. */
const anyGoals = [
  [1, { first: 2, last: 2, any: 8 }],
  [10, { first: 11, last: undefined, any: 24 }],
  [100, { first: 11, last: undefined, any: 115 }],
  [500, { first: 11, last: undefined, any: 120 }],
] as const;
const statusGoals = [
  [1, { first: 2, last: 2 }],
  [10, { first: 11, last: 11 }],
] as const;

const pageOf = (reader: TransactionReader, grants: number, page: number, filter: ListFilter = {}) =>
  reader.listWithin({
    scope: { kind: 'grants', grants: grantsOf(grants) },
    ...{ filter, page, perPage, shown: [] },
  });

type Goals = { first: number; last: number | undefined; any?: number };

/** Units, waves and requests of the first and the last page, and of the most expensive one of a sample. */
const readRows = async (
  [reader, meter]: [TransactionReader, Meter],
  grants: number,
  goals: Goals,
  filter: ListFilter = {},
): Promise<Row[]> => {
  const { totalCount } = await pageOf(reader, grants, 1, filter);
  const last = Math.max(1, Math.ceil(totalCount / perPage));
  const random = randomFrom(grants);
  const asked = {
    ...{ first: [1], last: [last] },
    any: Array.from({ length: goals.any ? sampledPages : 0 }, () => random.integer(1, last)),
  };
  const rows: Row[] = [];
  for (const [name, pages] of Object.entries(asked).filter(([, some]) => some.length > 0)) {
    const costs: Cost[] = [];
    for (const page of pages) costs.push(await meter(() => pageOf(reader, grants, page, filter)));
    const most = (of: 'index' | 'waves' | 'requests') => Math.max(...costs.map((cost) => cost[of]));
    const goal = goals[name as keyof Goals];
    rows.push([
      ...[grants, filter.status ?? '', totalCount, name],
      ...[most('index'), goal === undefined ? '' : `≤ ${goal}`, most('waves'), most('requests')],
    ]);
  }
  return rows;
};

const measureReads = async (endpoint: string): Promise<Row[]> => {
  const documents = documentsOf(clientOf(endpoint));
  const meter = createMeter(documents, tables.listingTable);
  const reader = readerWithoutDrift({ documents, ...tables });
  const rows: Row[] = [];
  for (const [grants, goals] of anyGoals) rows.push(...(await readRows([reader, meter], grants, goals)));
  for (const [grants, goals] of statusGoals)
    for (const status of [0, 1] as const)
      rows.push(...(await readRows([reader, meter], grants, goals, { status })));
  return rows;
};

/** Median and processor time of page 1 and of a middle page over those of a bare Query of ten items, taken in turns. */
const measureTimes = async (endpoint: string): Promise<Row[]> => {
  // The client of the functions, which is faster than that of the tests.
  const documents = createDocumentClient(settingsFor(endpoint));
  const reader = readerWithoutDrift({ documents, ...tables });
  const [rollup] = rollupsOfGrants(grantsOf(1), () => []);
  const bare = new QueryCommand({
    TableName: tables.listingTable,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': runPartition(rollup?.id ?? '') },
    ConsistentRead: true,
    Limit: perPage,
  });
  const { totalCount } = await pageOf(reader, 1, 1);
  const middle = Math.max(1, Math.floor(totalCount / perPage / 2));
  const works: [name: string, goal: string, work: () => Promise<unknown>][] = [
    ['bare Query of ten', '', () => documents.send(bare)],
    ['page 1', '≤ 3.0', () => pageOf(reader, 1, 1)],
    ['middle page', '≤ 6.0', () => pageOf(reader, 1, middle)],
  ];
  const spent = works.map(() => ({ ms: [] as number[], cpu: [] as number[] }));
  for (let round = -warmRounds; round < timedRounds; round += 1)
    for (const [index, [, , work]] of works.entries()) {
      const before = process.cpuUsage();
      const ms = await timed(work);
      const { user, system } = process.cpuUsage(before);
      if (round < 0) continue;
      spent[index]?.ms.push(ms);
      // Of this process: other work on the machine changes it less.
      spent[index]?.cpu.push(user + system);
    }
  const medians = spent.map(({ ms, cpu }) => ({ ms: median(ms), cpu: median(cpu) }));
  const [bareMedian = { ms: Number.NaN, cpu: Number.NaN }] = medians;
  return works.map(([name, goal], index) => {
    const { ms, cpu } = medians[index] ?? bareMedian;
    return [
      ...[name, ms.toFixed(2), (ms / bareMedian.ms).toFixed(2), goal],
      (cpu / bareMedian.cpu).toFixed(2),
    ];
  });
};

/** A million transactions take minutes: how far it is, on standard error. */
const sayHowFar = (size: number) => (written: number) => {
  if (written % 100_000 === 0) console.error(`${written} of ${size} written`);
};

export const run = async ({ size }: { size: number }) => {
  const { dbPath, remove } = loadDatabase(syntheticTransactions(size), productionSettings, sayHowFar(size));
  const engine = await startDynoxide({ dbPath, environment: { PATH: process.env.PATH } });
  try {
    print(
      ['grants', 'status', 'total', 'page', 'index RCU', 'goal', 'waves', 'requests'],
      await measureReads(engine.endpoint),
    );
    print(['list of one grant', 'p50 ms', 'ratio', 'goal', 'CPU ratio'], await measureTimes(engine.endpoint));
  } finally {
    await engine.stop();
    remove();
  }
};
