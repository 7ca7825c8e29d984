import { setImmediate } from 'node:timers/promises';
import { chunksOf } from '../../../functions/shared/runtime/chunks.ts';
import type { Clock } from '../../../functions/shared/runtime/clock.ts';
import type { TransactionReader } from '../../../functions/shared/store/transactions/reader.ts';
import type { StorefrontStore } from '../store/storefronts.ts';
import type { ImportWriter } from '../store/transactions/import-writer.ts';
import type { FileLine } from './import-file.ts';
import { parseImportLine } from './import-line.ts';
import {
  createImportedPayments,
  differs,
  type ImportedPayments,
  type NumberedLine,
  type PaymentDeps,
  type RefusedLine,
} from './imported-payments.ts';
import { readAhead } from './read-ahead.ts';
import { createStorefrontRegistrar, type StorefrontRegistrar } from './storefront-registrar.ts';

/** The result of an import: counts, and the refused lines (RUN-6). */
export type ImportSummary = {
  read: number;
  imported: number;
  unchanged: number;
  /** Known uuids whose stored transaction differs from the line; the stored one stays. */
  differs: number;
  /** Zero dates that became null, of lines that are not refused. */
  cleared: number;
  refused: RefusedLine[];
  storefrontsRegistered: number;
};

/** The stores that an import uses. */
export type ImportDeps = PaymentDeps & {
  transactions: Pick<ImportWriter, 'createMany'> & Pick<TransactionReader, 'byUuids'>;
  storefronts: StorefrontStore;
};

export type ImportOptions = {
  onProgress?: (summary: ImportSummary, bytesRead: number) => void;
  /** The import ends after the batch in which this is aborted. */
  signal?: AbortSignal;
};

/**
 * The store groups the lines of a batch by owner, so larger batches cost fewer writes. The bytes bound the memory, which
 * holds two batches.
 */
const linesPerBatch = 1_000;
const bytesPerBatch = 16_000_000;

/**
 * Loads lines in file order, which becomes creation order. Each batch is written before the next one begins. After a crash
 * within a batch, an import of the same file completes the batch at its reserved sequence numbers and continues.
 */
export const importTransactions = async (
  lines: AsyncIterable<FileLine>,
  deps: ImportDeps,
  options: ImportOptions = {},
): Promise<ImportSummary> => {
  const summary = {
    ...{ read: 0, imported: 0, unchanged: 0, differs: 0, cleared: 0 },
    ...{ refused: [], storefrontsRegistered: 0 },
  };
  const registrar = createStorefrontRegistrar(deps);
  const run = { deps, summary, registrar, payments: createImportedPayments(deps) };
  for await (const batch of readAhead(batchesOf(lines, deps.now))) {
    if (options.signal?.aborted) break;
    await importBatch(batch, run);
    options.onProgress?.(summary, batch.bytesRead);
  }
  return summary;
};

type Batch = {
  read: number;
  lines: NumberedLine[];
  refused: RefusedLine[];
  /** Bytes of the file up to the end of this batch. */
  bytesRead: number;
};

/** Lines parsed before the event loop may handle answers of the store. */
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

const batchFrom = (bytesRead: number): Batch => ({ read: 0, lines: [], refused: [], bytesRead });

const take = (batch: Batch, line: FileLine, now: Date) => {
  const parsed = line.ok ? parseImportLine(line.value, now) : line;
  if (parsed.ok) batch.lines.push({ ...parsed.value, number: line.number });
  else batch.refused.push({ line: line.number, reason: parsed.reason });
  batch.read += 1;
  batch.bytesRead = line.bytesRead;
};

type ImportRun = {
  deps: ImportDeps;
  summary: ImportSummary;
  registrar: StorefrontRegistrar;
  payments: ImportedPayments;
};

/** Raises the id counter before the batch is written, so that no id in it is given again (ID-2). */
const importBatch = async (
  { read, lines, refused }: Batch,
  { deps, summary, registrar, payments }: ImportRun,
) => {
  const completed = await payments.complete(lines);
  const fresh = completed.lines.map(({ created }) => created);
  summary.read += read;
  summary.cleared += completed.lines.reduce((sum, { cleared }) => sum + cleared, 0);
  summary.refused.push(...[...refused, ...completed.refused].sort((one, other) => one.line - other.line));
  summary.storefrontsRegistered += await registrar.registerOwnersOf(fresh);
  const outcomes = await deps.transactions.createMany(fresh);
  const known = new Set(
    completed.lines.flatMap(({ number }, index) => (outcomes[index]?.ok ? [] : [number])),
  );
  summary.imported += fresh.length - known.size;
  await compare(
    lines.filter(({ number }) => known.has(number)),
    deps,
    summary,
  );
};

/** Each stored transaction is read as a whole and may be large. */
const comparedAtOnce = 50;

const compare = async (
  lines: readonly NumberedLine[],
  { transactions }: ImportDeps,
  summary: ImportSummary,
) => {
  for (const chunk of chunksOf(lines, comparedAtOnce)) {
    const found = await transactions.byUuids([
      ...new Set(chunk.map(({ created }) => created.transaction.uuid)),
    ]);
    for (const line of chunk) {
      const stored = found.get(line.created.transaction.uuid);
      summary[stored && differs(line, stored) ? 'differs' : 'unchanged'] += 1;
    }
  }
};
