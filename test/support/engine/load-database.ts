import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import {
  type CounterChange,
  countsOf,
  entriesOf,
  sumCounters,
} from '../../../functions/shared/store/listing/change.ts';
import { sequenceKey } from '../../../functions/shared/store/listing/keys.ts';
import type { ListingSettings } from '../../../functions/shared/store/listing/settings.ts';
import { toItem } from '../../../functions/shared/store/transactions/item.ts';
import { findDynoxide } from '../../../localstack/dynamodb/dynoxide.ts';
import { evenDraw } from './bulk-load.ts';
import { tablesFromTemplate } from './tables.ts';

type Item = Record<string, unknown>;

export type LoadedDatabase = { dbPath: string; remove: () => void };

/** Hears how many transactions are written into the export, time and again, and when the engine begins to take it. */
export type OnLoad = (written: number, phase: 'writing' | 'importing') => void;

/**
 * Makes a database file that holds the items which the write paths would leave. It imports a table export, which takes a
 * twelfth of the time of writes.
 */
export const loadDatabase = (
  transactions: Iterable<StoredTransaction>,
  settings: ListingSettings,
  onLoad: OnLoad = () => {},
): LoadedDatabase => {
  const folder = mkdtempSync(join(tmpdir(), 'transactions-bench-'));
  const source = join(folder, 'export');
  writeSchema(join(folder, 'schema.json'));
  const written = writeExport(source, transactions, settings, onLoad);
  onLoad(written, 'importing');
  const dbPath = join(folder, 'tables.db');
  const options = ['--source', source, '--schema', join(folder, 'schema.json'), '--output', dbPath];
  execFileSync(findDynoxide(process.env), ['import', ...options], { stdio: 'pipe' });
  rmSync(source, { recursive: true });
  return { dbPath, remove: () => rmSync(folder, { recursive: true }) };
};

/** Debounce stays empty, for the markers that completing payments write. */
const imported = ['Transactions', 'Listing', 'Debounce'];

const writeSchema = (file: string) => {
  const tables = tablesFromTemplate().filter(({ TableName = '' }) => imported.includes(TableName));
  const described = tables.map(({ TableName, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes }) => ({
    Table: { TableName, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes },
  }));
  writeFileSync(file, JSON.stringify(described));
};

const transactionsPerSlice = 5_000;

const writeExport = (
  source: string,
  transactions: Iterable<StoredTransaction>,
  settings: ListingSettings,
  onLoad: OnLoad,
): number => {
  for (const table of imported) mkdirSync(join(source, table, 'data'), { recursive: true });
  const write = (table: string, items: readonly object[]) =>
    appendFileSync(
      join(source, table, 'data', 'items.json'),
      items.map((item) => lineOf(item as Item)).join(''),
    );
  for (const table of imported) write(table, []);
  let counters: CounterChange[] = [];
  let last = 0;
  let written = 0;
  for (const slice of slicesOf(transactions)) {
    write('Transactions', slice.map(toItem));
    write(
      'Listing',
      slice.flatMap((stored) => entriesOf(stored, settings)),
    );
    counters = sumCounters([
      ...counters,
      ...slice.flatMap((stored) => countsOf(stored, 1, settings, evenDraw(stored))),
    ]);
    last = slice.at(-1)?.sequenceNumber ?? last;
    written += slice.length;
    onLoad(written, 'writing');
  }
  write('Listing', [{ ...sequenceKey, n: last }, ...counters.map(({ key, add }) => ({ ...key, ...add }))]);
  return written;
};

function* slicesOf(transactions: Iterable<StoredTransaction>) {
  let slice: StoredTransaction[] = [];
  for (const transaction of transactions) {
    slice.push(transaction);
    if (slice.length < transactionsPerSlice) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

const lineOf = (item: Item) => `${JSON.stringify({ Item: mapOf(item) })}\n`;

const mapOf = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, attributeOf(value)]));

/** Items hold numbers, texts and maps. */
const attributeOf = (value: unknown) => {
  if (typeof value === 'number') return { N: `${value}` };
  if (typeof value === 'string') return { S: value };
  return { M: mapOf(value as Item) };
};
