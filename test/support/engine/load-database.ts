import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { ListingSettings } from '../../../functions/shared/store/listing/settings.ts';
import { createTableInput } from '../../../lib/tables.ts';
import { findDynoxide } from '../../../localstack/embedded/engine.ts';
import { itemsOf } from './bulk-load.ts';

type Item = Record<string, unknown>;

export type LoadedDatabase = { dbPath: string; remove: () => void };

/**
 * Makes a database file that holds the items which the write paths would leave. It imports a table export, which takes a
 * twelfth of the time of writes.
 */
export const loadDatabase = (
  transactions: Iterable<StoredTransaction>,
  settings: ListingSettings,
  /** Hears how many transactions are written into the export so far. */
  onWritten: (written: number) => void = () => {},
): LoadedDatabase => {
  const folder = mkdtempSync(join(tmpdir(), 'transactions-bench-'));
  const [source, schema, dbPath] = [
    join(folder, 'export'),
    join(folder, 'schema'),
    join(folder, 'tables.db'),
  ];
  const described = imported
    .map((id) => createTableInput(id))
    .map(({ TableName, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes }) => ({
      Table: { TableName, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes },
    }));
  writeFileSync(schema, JSON.stringify(described));
  for (const table of imported) mkdirSync(join(source, table, 'data'), { recursive: true });
  let written = 0;
  for (const items of itemsOf(transactions, settings)) {
    for (const [table, some] of Object.entries(items))
      appendFileSync(join(source, table, 'data/items.json'), some.map(lineOf).join(''));
    written += items.Transactions.length;
    onWritten(written);
  }
  const options = ['--source', source, '--schema', schema, '--output', dbPath];
  execFileSync(findDynoxide(process.env), ['import', ...options], { stdio: 'pipe' });
  rmSync(source, { recursive: true });
  return { dbPath, remove: () => rmSync(folder, { recursive: true }) };
};

const imported = ['Transactions', 'Listing'] as const;

const lineOf = (item: Item) => `${JSON.stringify({ Item: mapOf(item) })}\n`;

const mapOf = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, attributeOf(value)]));

/** Items hold numbers, texts and maps. */
const attributeOf = (value: unknown) => {
  if (typeof value === 'number') return { N: `${value}` };
  if (typeof value === 'string') return { S: value };
  return { M: mapOf(value as Item) };
};
