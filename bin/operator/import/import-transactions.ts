import type { NewTransaction } from '../../../functions/shared/domain/transaction/new-transaction.ts';
import type { Clock } from '../../../functions/shared/runtime/clock.ts';
import type { StorefrontStore } from '../../../functions/shared/store/storefronts/storefront-store.ts';
import type { NumericIds } from '../../../functions/shared/store/transactions/numeric-ids.ts';
import type { TransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import type { FileLine } from './import-file.ts';
import { parseImportLine } from './import-line.ts';
import { createStorefrontRegistrar, type StorefrontRegistrar } from './storefront-registrar.ts';

/** The result of an import, by count and by refused line (RUN-6). */
export type ImportSummary = {
  read: number;
  imported: number;
  unchanged: number;
  refused: { line: number; reason: string }[];
  storefrontsRegistered: number;
};

/** The stores that an import uses. */
export type ImportDeps = {
  transactions: Pick<TransactionWriter, 'createMany'>;
  storefronts: StorefrontStore;
  ids: Pick<NumericIds, 'atLeast'>;
  now: Clock;
};

/** Progress and interruption of an import. */
export type ImportOptions = {
  onProgress?: (summary: ImportSummary, bytesRead: number) => void;
  /** Ctrl-C aborts it: the import ends after the current batch. */
  signal?: AbortSignal;
};

/** Transactions per call of the store, which packs them into atomic writes. */
const batchSize = 100;

/**
 * Loads lines in file order, which becomes creation order. Each batch is written before the next one begins, so a crash
 * leaves the beginning of the file; importing again finds those lines unchanged and continues after them.
 */
export const importTransactions = async (
  lines: AsyncIterable<FileLine>,
  deps: ImportDeps,
  options: ImportOptions = {},
): Promise<ImportSummary> => {
  const summary = { read: 0, imported: 0, unchanged: 0, refused: [], storefrontsRegistered: 0 };
  const run = { deps, summary, registrar: createStorefrontRegistrar(deps) };
  for await (const { lines: batch, bytesRead } of batchesOf(lines)) {
    if (options.signal?.aborted) break;
    await importBatch(batch, run);
    options.onProgress?.(summary, bytesRead);
  }
  return summary;
};

async function* batchesOf(lines: AsyncIterable<FileLine>) {
  let batch: FileLine[] = [];
  for await (const line of lines) {
    batch.push(line);
    if (batch.length < batchSize) continue;
    yield { lines: batch, bytesRead: line.bytesRead };
    batch = [];
  }
  const last = batch.at(-1);
  if (last) yield { lines: batch, bytesRead: last.bytesRead };
}

type ImportRun = { deps: ImportDeps; summary: ImportSummary; registrar: StorefrontRegistrar };

const importBatch = async (lines: readonly FileLine[], { deps, summary, registrar }: ImportRun) => {
  const fresh: NewTransaction[] = [];
  for (const line of lines) {
    const parsed = line.ok ? parseImportLine(line.value, deps.now()) : line;
    summary.read += 1;
    if (!parsed.ok) summary.refused.push({ line: line.number, reason: parsed.reason });
    else fresh.push(parsed.value);
  }
  summary.storefrontsRegistered += await registrar.registerOwnersOf(fresh);
  await raiseIds(fresh, deps);
  for (const outcome of await deps.transactions.createMany(fresh)) {
    if (outcome.ok) summary.imported += 1;
    else summary.unchanged += 1;
  }
};

/** Runs before the batch is written, so that the ids in it are never issued again (ID-2). */
const raiseIds = async (fresh: readonly NewTransaction[], { ids }: ImportDeps) => {
  const payments = fresh.flatMap(({ transaction }) => transaction.payments ?? []);
  const brought = payments
    .flatMap(({ id, transaction_id }) => [id, transaction_id])
    .filter(Number.isSafeInteger);
  const largest = Math.max(0, ...brought.map(Number));
  if (largest > 0) await ids.atLeast(largest);
};
