import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseImportLine } from '../../../bin/operator/import/import-line.ts';
import type { Outcome } from '../../../functions/shared/domain/outcome.ts';
import type { NewTransaction } from '../../../functions/shared/domain/transaction/new-transaction.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import { createMeter } from '../../support/engine/meter.ts';
import { readerWithoutDrift } from '../../support/engine/transaction-reader.ts';
import { root } from '../../support/repository.ts';
import { bytesOfTables } from './item-bytes.ts';
import { type Measured, meanOf, noUnits, plus } from './measured.ts';

const tables = { transactionsTable: 'Transactions', listingTable: 'Listing', debounceTable: 'Debounce' };
const sampled = 100;

type OfRecords = Pick<Measured, 'create' | 'save' | 'read' | 'list'> & { transactionBytes: number };

/** What checkouts of the demo data cost: each is created, saved once, read, and asked for as the first page of its owner. */
export const measureRecords = async ({ documents }: TestEngine): Promise<OfRecords> => {
  const measure = createMeter(documents, tables.listingTable);
  const writer = createTransactionWriter({ documents, ...tables });
  const reader = readerWithoutDrift({ documents, ...tables, membersOf: async () => [] });
  const totals = { create: noUnits(), save: noUnits(), read: noUnits(), list: noUnits() };
  const add = async (kind: keyof typeof totals, work: () => Promise<unknown>) => {
    totals[kind] = plus(totals[kind], await measure(work));
  };
  for (const transaction of checkouts()) {
    const { uuid, ndMeta } = transaction.transaction;
    const scope = { kind: 'grants', grants: [{ group: ndMeta?.group ?? '' }] } as const;
    const made: StoredTransaction[] = [];
    await add('create', async () => made.push(taken(await writer.create(transaction))));
    for (const before of made)
      await add('save', async () => taken(await writer.replace(before, saved(before))));
    await add('read', () => reader.byUuid(uuid));
    await add('list', () => reader.listWithin({ scope, filter: {}, page: 1, perPage: 10 }));
  }
  const bytes = await bytesOfTables(documents, [tables.transactionsTable, tables.listingTable]);
  const means = Object.entries(totals).map(([kind, total]) => [kind, meanOf(total, sampled)]);
  return {
    ...(Object.fromEntries(means) as typeof totals),
    transactionBytes: Math.round(bytes / sampled),
  };
};

/** What a store answered, or a fault: nothing else writes to this engine. */
const taken = <T>(outcome: Outcome<T, string>): T => {
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.value;
};

/** The first checkouts of the demo data. */
const checkouts = (): NewTransaction[] =>
  readFileSync(join(root, 'localstack/embedded/demo/transactions.ndjson'), 'utf8')
    .split('\n')
    .slice(0, sampled)
    .map((line) => taken(parseImportLine(line, new Date('2026-11-22T12:00:00Z'))).created);

const saved = (before: StoredTransaction): StoredTransaction => {
  const version = before.version + 1;
  return {
    ...before,
    version,
    updatedAtMs: before.updatedAtMs + 1,
    elementVersions: { ...before.elementVersions, own: version },
    transaction: { ...before.transaction, guestEmail: 'buyer@example.com' },
  };
};
