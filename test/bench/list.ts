import { performance } from 'node:perf_hooks';
import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { Command } from 'commander';
import type { ListFilter } from '../../functions/shared/domain/listing/columns.ts';
import { rollupsOfGrants } from '../../functions/shared/domain/ownership/rollup.ts';
import type {
  StoredTransaction,
  Transaction,
} from '../../functions/shared/domain/transaction/transaction.ts';
import { runPartition } from '../../functions/shared/store/listing/keys.ts';
import { productionSettings } from '../../functions/shared/store/listing/settings.ts';
import {
  createTransactionReader,
  type TransactionReader,
} from '../../functions/shared/store/transactions/reader.ts';
import { createTransactionWriter } from '../../functions/shared/store/transactions/writer.ts';
import { startDynoxide } from '../../localstack/dynamodb/dynoxide.ts';
import { randomFrom } from '../support/builders/random.ts';
import { aNewTransaction, uuidOf } from '../support/builders/transactions.ts';
import { clientOf, documentsOf } from '../support/engine/engine.ts';
import { loadDatabase, type OnLoad } from '../support/engine/load-database.ts';
import { type Cost, createMeter, type Meter } from '../support/engine/meter.ts';
import {
  benchOwner,
  grantsOf,
  syntheticTransactions,
  vehicleOf,
} from '../support/engine/synthetic-transactions.ts';
import { print } from './print.ts';
import { productionClient } from './production-client.ts';
import { median, timed } from './times.ts';

const tables = {
  transactionsTable: 'Transactions',
  listingTable: 'Listing',
  debounceTable: 'Debounce',
  settings: productionSettings,
};
const perPage = 10;
const sampledPages = 40;
const timedRounds = 150;
/** Rounds before the clock starts: the first ones compile the code. */
const warmRounds = 50;

/** Goals of the listing (docs/listing.md); read units are strongly consistent. */
const readGoals = new Map([
  [1, { first: 2, last: 2, any: 8 }],
  [10, { first: 11, last: undefined, any: 24 }],
  [100, { first: 11, last: undefined, any: 115 }],
  [500, { first: 11, last: undefined, any: 120 }],
]);

const statusGoals = new Map([
  [1, { units: 2, waves: [2, 3] }],
  [10, { units: 11, waves: [4, 5] }],
]);

type Row = (string | number)[];

const pageOf = (reader: TransactionReader, grants: number, page: number, filter: ListFilter = {}) =>
  reader.listWithin({
    scope: { kind: 'grants', grants: grantsOf(grants) },
    ...{ filter, page, perPage, shown: [] },
  });

/** Units, waves and requests of first, last and any page for 1 to 500 grants. */
const measureReads = async (reader: TransactionReader, meter: Meter): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const [grants, goal] of readGoals) {
    const { totalCount } = await pageOf(reader, grants, 1);
    const last = Math.ceil(totalCount / perPage);
    const first = await meter(() => pageOf(reader, grants, 1));
    const end = await meter(() => pageOf(reader, grants, last));
    const any = await measureAny(reader, meter, grants, last);
    rows.push(readRow(`${grants}`, totalCount, 'first', [first], goal.first));
    rows.push(readRow(`${grants}`, totalCount, 'last', [end], goal.last));
    rows.push(readRow(`${grants}`, totalCount, 'any', any, goal.any));
  }
  return rows;
};

const measureAny = async (reader: TransactionReader, meter: Meter, grants: number, last: number) => {
  const random = randomFrom(grants);
  const costs: Cost[] = [];
  for (let sample = 0; sample < sampledPages; sample += 1) {
    const page = random.integer(1, Math.max(1, last));
    costs.push(await meter(() => pageOf(reader, grants, page)));
  }
  return costs;
};

/** First and last page of those with a status, for the few grants of most partners. */
const measureStatus = async (reader: TransactionReader, meter: Meter): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const [grants, goals] of statusGoals) {
    for (const status of [0, 1] as const) {
      const { totalCount } = await pageOf(reader, grants, 1, { status });
      const pages = [1, Math.ceil(totalCount / perPage)];
      for (const [index, name] of ['first', 'last'].entries()) {
        const cost = await meter(() => pageOf(reader, grants, pages[index] ?? 1, { status }));
        const row = readRow(`${grants}`, totalCount, `${name}, status ${status}`, [cost], goals.units);
        rows.push([...row, `≤ ${goals.waves[index]}`]);
      }
    }
  }
  return rows;
};

const readRow = (
  grants: string,
  total: number,
  page: string,
  costs: Cost[],
  goal: number | undefined,
): Row => {
  const units = costs.map(({ index }) => index);
  const mean = units.reduce((sum, value) => sum + value, 0) / units.length;
  return [
    grants,
    total,
    page,
    mean.toFixed(1),
    Math.max(...units),
    goal === undefined ? '' : `≤ ${goal}`,
    Math.max(...costs.map(({ waves }) => waves)),
    Math.max(...costs.map(({ requests }) => requests)),
  ];
};

/** Write units and items of each write path: an item under 1 kB, two identifiers, a session. */
const measureWrites = async (
  documents: DynamoDBDocumentClient,
  meter: Meter,
  size: number,
): Promise<Row[]> => {
  const writer = createTransactionWriter({ documents, ...tables });
  let stored: StoredTransaction | undefined;
  const create = () =>
    meter(async () => {
      const outcome = await writer.create(
        aNewTransaction(
          { uuid: uuidOf(size + 1), ndMeta: benchOwner(1), vehicle: vehicleOf(size + 1) },
          { session: 'session-bench' },
        ),
      );
      if (outcome.ok) stored = outcome.value;
    });
  const change = (values: Partial<Transaction>) =>
    meter(async () => {
      if (!stored) throw new Error('nothing was created');
      const after = {
        ...stored,
        version: stored.version + 1,
        transaction: { ...stored.transaction, ...values },
      };
      const outcome = await writer.replace(stored, after);
      if (outcome.ok) stored = outcome.value;
    });
  const steps: [string, () => Promise<Cost>, string][] = [
    ['create', create, '≤ 35, ≤ 17 items'],
    ['any other update', () => change({ guestEmail: 'a@example.com' }), 'index 0'],
    ['complete', () => change({ status: 1 }), '≤ 34, ≤ 17 items'],
    ['move location', () => change({ ndMeta: benchOwner(2) }), '≤ 26'],
    ['move group', () => change({ ndMeta: benchOwner(2, 'group-1') }), '≤ 58, ≤ 30 items'],
    ['delete', () => change({ isDeleted: 1 }), ''],
    ['restore', () => change({ isDeleted: 0 }), ''],
  ];
  const rows: Row[] = [];
  for (const [name, step, goal] of steps) {
    const { index, records, writeItems } = await step();
    rows.push([name, index + records, index, writeItems, goal]);
  }
  return rows;
};

/** p50 and processor time of page 1 and of a middle page over those of a bare Query of ten items, taken in turns. */
const measureTimes = async (documents: DynamoDBDocumentClient): Promise<Row[]> => {
  const reader = createTransactionReader({ documents, ...tables, membersOf: async () => [] });
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
  const works = {
    bare: () => documents.send(bare),
    first: () => pageOf(reader, 1, 1),
    middle: () => pageOf(reader, 1, middle),
  };
  const names = Object.keys(works) as (keyof typeof works)[];
  for (let round = 0; round < warmRounds; round += 1) {
    for (const name of names) await works[name]();
  }
  const spent = new Map(names.map((name) => [name, [] as Spent[]]));
  for (let round = 0; round < timedRounds; round += 1) {
    for (const name of names) spent.get(name)?.push(await spending(works[name]));
  }
  const rowOf = (name: string, of: keyof typeof works, goal: string): Row => {
    const medianOf = (which: keyof typeof works, what: keyof Spent) =>
      median((spent.get(which) ?? []).map((each) => each[what]));
    const ratio = (what: keyof Spent) => (medianOf(of, what) / medianOf('bare', what)).toFixed(2);
    return [name, medianOf(of, 'ms').toFixed(2), ratio('ms'), goal, ratio('cpu')];
  };
  return [
    rowOf('bare Query of ten', 'bare', ''),
    rowOf('page 1', 'first', '≤ 3.0'),
    rowOf('middle page', 'middle', '≤ 6.0'),
  ];
};

/** Time, and processor time of this process, which other work changes less. */
type Spent = { ms: number; cpu: number };

const spending = async (work: () => Promise<unknown>): Promise<Spent> => {
  const before = process.cpuUsage();
  const ms = await timed(work);
  const { user, system } = process.cpuUsage(before);
  return { ms, cpu: user + system };
};

/** A million transactions take minutes: how far it is, on standard error. */
const sayHowFar = (size: number): OnLoad => {
  const start = performance.now();
  return (written, phase) => {
    if (phase === 'writing' && written % 100_000 !== 0) return;
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    const done = phase === 'writing' ? `${written} of ${size} written` : 'the engine takes them in';
    console.error(`${seconds} s: ${done}`);
  };
};

const run = async (size: number) => {
  const start = performance.now();
  const { dbPath, remove } = loadDatabase(syntheticTransactions(size), productionSettings, sayHowFar(size));
  const engine = await startDynoxide({ dbPath, environment: { PATH: process.env.PATH } });
  try {
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    console.info(`## ${size.toLocaleString('en')} transactions (loaded in ${seconds} s)\n`);

    const documents = documentsOf(clientOf(engine.endpoint));
    const meter = createMeter(documents, tables.listingTable);
    const reader = createTransactionReader({ documents, ...tables, membersOf: async () => [] });
    const reads = await measureReads(reader, meter);
    const byStatus = await measureStatus(reader, meter);
    const times = await measureTimes(productionClient(engine.endpoint));
    const writes = await measureWrites(documents, meter, size);

    print(['grants', 'total', 'page', 'index RCU mean', 'max', 'goal', 'waves', 'requests'], reads);
    print(
      ['grants', 'total', 'page', 'index RCU', 'max', 'goal', 'waves', 'requests', 'goal of waves'],
      byStatus,
    );
    print(['list of one grant', 'p50 ms', 'ratio', 'goal', 'CPU ratio'], times);
    print(['write', 'WCU', 'of them index', 'items', 'goal'], writes);
  } finally {
    await engine.stop();
    remove();
  }
};

const program = new Command('bench -- list')
  .description(
    'Measures what lists and writes cost, in capacity units of the engine, beside the goals of the design.',
  )
  .option('--size <transactions>', 'how many transactions to load', '1000');

const { size } = program.parse().opts<{ size: string }>();
if (!/^[1-9]\d{0,6}$/.test(size)) program.error(`--size takes a number from 1 to 9,999,999, not "${size}"`);
await run(Number(size));
