import type { NewTransaction } from '../../../functions/shared/domain/transaction/new-transaction.ts';
import type { Clock } from '../../../functions/shared/runtime/clock.ts';
import type { EstateStore } from '../../../functions/shared/store/storefronts/storefront-store.ts';
import type { NumericIds } from '../../../functions/shared/store/transactions/numeric-ids.ts';
import type { TransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import type { FileLine } from './import-file.ts';
import { parseImportLine } from './import-line.ts';
import { createStorefrontRegistrar, type StorefrontRegistrar } from './storefront-registrar.ts';

/** What an import did (RUN-6). */
export type ImportSummary = {
  read: number;
  imported: number;
  unchanged: number;
  refused: { line: number; reason: string }[];
  storefrontsRegistered: number;
};

export type ImportDeps = {
  transactions: Pick<TransactionWriter, 'createMany'>;
  storefronts: EstateStore;
  ids: Pick<NumericIds, 'atLeast'>;
  now: Clock;
};

export type ImportOptions = {
  onProgress?: (summary: ImportSummary, bytesRead: number) => void;
  /** Aborted by Ctrl-C: the import ends after the write that is under way. */
  signal?: AbortSignal;
};

/** As many transactions as wait for one call of the store, which packs them into atomic writes. */
const batchSize = 100;

/**
 * Loads lines in file order, which becomes creation order. A batch is written before the next one begins, so that what
 * a crash leaves is a beginning of the file: importing again finds it unchanged and goes on behind it.
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

/** Before the batch is written, so that no id it brings is given out again (ID-2). */
const raiseIds = async (fresh: readonly NewTransaction[], { ids }: ImportDeps) => {
  const payments = fresh.flatMap(({ transaction }) => transaction.payments ?? []);
  const brought = payments
    .flatMap(({ id, transaction_id }) => [id, transaction_id])
    .filter(Number.isSafeInteger);
  const largest = Math.max(0, ...brought.map(Number));
  if (largest > 0) await ids.atLeast(largest);
};
