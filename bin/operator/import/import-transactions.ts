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

/** The result of an import, by count and by refused line (RUN-6). */
export type ImportSummary = {
  read: number;
  imported: number;
  unchanged: number;
  /** Known uuids whose stored transaction says something else than the line; it is left as it is. */
  differs: number;
  refused: RefusedLine[];
  storefrontsRegistered: number;
};

/** The stores that an import uses. */
export type ImportDeps = PaymentDeps & {
  transactions: Pick<ImportWriter, 'createMany'> & Pick<TransactionReader, 'byUuids'>;
  storefronts: StorefrontStore;
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
  const summary = {
    ...{ read: 0, imported: 0, unchanged: 0, differs: 0 },
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

/** Lines that were read, with what is to be created of them. */
type Batch = {
  read: number;
  lines: NumberedLine[];
  refused: RefusedLine[];
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

/** Ids are raised before the batch is written, so that those in it are never given again (ID-2). */
const importBatch = async (
  { read, lines, refused }: Batch,
  { deps, summary, registrar, payments }: ImportRun,
) => {
  const completed = await payments.complete(lines);
  const fresh = completed.lines.map(({ created }) => created);
  summary.read += read;
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

/** Whole transactions are read, and each may be large. */
const comparedAtOnce = 50;

const compare = async (
  lines: readonly NumberedLine[],
  { transactions }: ImportDeps,
  summary: ImportSummary,
) => {
  for (const some of chunksOf(lines, comparedAtOnce)) {
    const found = await transactions.byUuids([
      ...new Set(some.map(({ created }) => created.transaction.uuid)),
    ]);
    for (const line of some) {
      const stored = found.get(line.created.transaction.uuid);
      summary[stored && differs(line, stored) ? 'differs' : 'unchanged'] += 1;
    }
  }
};
