import { bucketOf } from '../../domain/listing/radix.ts';
import type { StoredTransaction } from '../../domain/transaction/transaction.ts';
import { chunksOf } from '../dynamodb/batch-get.ts';
import type { ListingEntry } from '../listing/change.ts';
import { allRunPartition, positionOf } from '../listing/keys.ts';
import { readRun } from '../listing/runs.ts';
import { moveMark, readMark, readSequence } from '../sweep-mark.ts';
import { removeStored } from '../transaction-removal.ts';
import { getTransactions } from './get.ts';
import { type WriterDeps, type WriterParts, writerParts } from './write.ts';

/** What one run of the sweep did; `isDone` is false where it stopped at its limit. */
export type SweepCounts = { looked: number; removed: number; upTo: number; isDone: boolean };

const untouchedLifetimeMs = 30 * 24 * 60 * 60 * 1000;
const recordsPerRead = 50;

/**
 * V1-8: removes get-or-creates that nobody changed for 30 days, with their listing, over the run of everybody from where
 * the last run ended. The mark moves behind finished work only, so a crash repeats at most one batch.
 */
export const sweepUntouched = async (
  deps: WriterDeps,
  { now, limit }: { now: Date; limit: number },
): Promise<SweepCounts> => {
  const parts = writerParts(deps);
  const mark = await readMark(parts);
  const sequence = await readSequence(parts);
  const counts = { looked: 0, removed: 0, upTo: mark.position, isDone: false };
  const cutoffMs = now.getTime() - untouchedLifetimeMs;
  for await (const batch of batchesBehind(parts, mark.position, sequence)) {
    const { removed, oldest, stopsAt } = await sweepBatch(parts, batch, cutoffMs);
    counts.looked += batch.length;
    counts.removed += removed;
    counts.upTo = Math.max(counts.upTo, oldest, Math.min(mark.sequence, stopsAt ?? lastOf(batch)));
    counts.isDone = stopsAt !== undefined;
    await moveMark(parts, { position: counts.upTo, sequence });
    if (counts.isDone || counts.looked >= limit) return counts;
  }
  await moveMark(parts, { position: counts.upTo, sequence });
  return { ...counts, isDone: true };
};

const lastOf = (batch: readonly ListingEntry[]) => positionOf(batch.at(-1)?.sk ?? '0');

async function* batchesBehind(parts: WriterParts, position: number, sequence: number) {
  const { radix } = parts.settings;
  if (position >= sequence) return;
  for (let bucket = bucketOf(radix, position + 1); bucket <= bucketOf(radix, sequence); bucket += 1) {
    const run = { partition: allRunPartition(bucket), from: position + 1, to: sequence + 1 };
    yield* chunksOf(await readRun(parts, run), recordsPerRead);
  }
}

type SweptBatch = {
  removed: number;
  /** The last position known to be 30 days old, and so all before it. */
  oldest: number;
  /** Just before the first one that is too young: so are all behind it. */
  stopsAt?: number;
};

/** Imports bring the dates of their file and no session: they are passed over, and say nothing about their neighbours. */
const sweepBatch = async (
  parts: WriterParts,
  batch: readonly ListingEntry[],
  cutoffMs: number,
): Promise<SweptBatch> => {
  const found = await getTransactions(
    parts,
    batch.map(({ u }) => u),
  );
  const swept = { removed: 0, oldest: 0 };
  for (const { u, sk } of batch) {
    const stored = found.get(u);
    if (stored?.session === undefined) continue;
    if (stored.createdAtMs > cutoffMs) return { ...swept, stopsAt: positionOf(sk) - 1 };
    if (isUntouched(stored) && (await removeStored(parts, stored))) swept.removed += 1;
    swept.oldest = positionOf(sk);
  }
  return swept;
};

const isUntouched = ({ version, quietVersion }: StoredTransaction) => version === 1 && quietVersion === 1;
