import { setImmediate } from 'node:timers/promises';
import type { NewTransaction } from '../../../functions/shared/domain/transaction/new-transaction.ts';
import type { Clock } from '../../../functions/shared/runtime/clock.ts';
import type { NumericIds } from '../../../functions/shared/store/transactions/numeric-ids.ts';
import type { StorefrontStore } from '../store/storefronts.ts';
import type { ImportWriter } from '../store/transactions/import-writer.ts';
import type { FileLine } from './import-file.ts';
import { parseImportLine } from './import-line.ts';
import { readAhead } from './read-ahead.ts';
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
  transactions: Pick<ImportWriter, 'createMany'>;
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

/**
 * Lines of a batch, or fewer where they are long: the store brings those of one owner together, and a batch lies in memory
 * as a whole, beside the next one.
 */
const linesPerBatch = 1_000;
const bytesPerBatch = 16_000_000;

/**
 * Loads lines in file order, which becomes creation order. Each batch is written before the next one begins. A crash leaves
 * any part of a batch: importing the same file again gives the others of it their positions, and continues after it.
 */
export const importTransactions = async (
  lines: AsyncIterable<FileLine>,
  deps: ImportDeps,
  options: ImportOptions = {},
): Promise<ImportSummary> => {
  const summary = { read: 0, imported: 0, unchanged: 0, refused: [], storefrontsRegistered: 0 };
  const run = { deps, summary, registrar: createStorefrontRegistrar(deps) };
  for await (const batch of readAhead(batchesOf(lines, deps.now))) {
    if (options.signal?.aborted) break;
    await importBatch(batch, run);
    options.onProgress?.(summary, batch.bytesRead);
  }
  return summary;
};

/** Lines that were read, with what is to be created of them. */
type Batch = {
  read: number;
  fresh: NewTransaction[];
  refused: { line: number; reason: string }[];
  /** Of the file, up to the end of this batch. */
  bytesRead: number;
};

/** Lines that are parsed at a stretch, while answers of the store wait. */
const linesAtAStretch = 20;

async function* batchesOf(lines: AsyncIterable<FileLine>, now: Clock): AsyncGenerator<Batch> {
  let from = 0;
  let batch = batchFrom(from);
  for await (const line of lines) {
    take(batch, line, now());
    if (batch.read % linesAtAStretch === 0) await setImmediate();
    if (batch.read < linesPerBatch && batch.bytesRead - from < bytesPerBatch) continue;
    yield batch;
    from = batch.bytesRead;
    batch = batchFrom(from);
  }
  if (batch.read > 0) yield batch;
}

const batchFrom = (bytesRead: number): Batch => ({ read: 0, fresh: [], refused: [], bytesRead });

const take = (batch: Batch, line: FileLine, now: Date) => {
  const parsed = line.ok ? parseImportLine(line.value, now) : line;
  if (parsed.ok) batch.fresh.push(parsed.value);
  else batch.refused.push({ line: line.number, reason: parsed.reason });
  batch.read += 1;
  batch.bytesRead = line.bytesRead;
};

type ImportRun = { deps: ImportDeps; summary: ImportSummary; registrar: StorefrontRegistrar };

const importBatch = async ({ read, fresh, refused }: Batch, { deps, summary, registrar }: ImportRun) => {
  summary.read += read;
  summary.refused.push(...refused);
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
