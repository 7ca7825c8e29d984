import { bucketOf } from '../../domain/listing/radix.ts';
import { isEmptyCheckout } from '../../domain/transaction/empty-checkout.ts';
import type { StoredTransaction } from '../../domain/transaction/transaction.ts';
import { deleteNotify } from '../../events/table.ts';
import { chunksOf } from '../../runtime/chunks.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { failureOf, wasSentAgain } from '../dynamodb/failure.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { Statement } from '../dynamodb/statement.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { type ListingEntry, listingChange } from '../listing/change.ts';
import { allRunPartition, sequenceKey, sequenceNumberOf } from '../listing/keys.ts';
import { readRun } from '../listing/runs.ts';
import { getTransaction, getTransactions } from './get.ts';
import { raiseMark, readMark } from './marks.ts';
import { isUnchanged, listingStatements } from './statements.ts';
import { atomicWrite, debounceOf, type WriterAccess, type WriterDeps, writerAccess } from './write.ts';

/** What one invocation of the sweep did. `isDone` is false if it stopped at its limit. */
export type SweepCounts = { checked: number; removed: number; upTo: number; isDone: boolean };

const silentLifetimeMs = 30 * 24 * 60 * 60 * 1000;
const recordsPerRead = 50;

/**
 * Removes checkouts for which nothing was sent in 30 days, with their listing (V1-8). Goes through the run of all
 * transactions from where the last sweep ended. The mark moves only after finished work, so a crash repeats at most one
 * batch.
 */
export const sweepUntouched = async (
  deps: WriterDeps,
  { now, limit }: { now: Date; limit: number },
): Promise<SweepCounts> => {
  const access = writerAccess(deps);
  // The sequence at the last sweep: all writes from before it have ended.
  const { n: sequenceNumber = 0, sequence: sequenceThen = 0 } = (await readMark(access, 'sweep')) ?? {};
  const sequence = await readSequence(access);
  const counts = { checked: 0, removed: 0, upTo: sequenceNumber, isDone: false };
  const cutoffMs = now.getTime() - silentLifetimeMs;
  for await (const batch of batchesBehind(access, sequenceNumber, sequence)) {
    const { removed, oldest, stopsAt } = await sweepBatch(access, batch, cutoffMs);
    counts.checked += batch.length;
    counts.removed += removed;
    counts.upTo = Math.max(counts.upTo, oldest, Math.min(sequenceThen, stopsAt ?? lastOf(batch)));
    counts.isDone = stopsAt !== undefined;
    await raiseMark(access, 'sweep', { n: counts.upTo, sequence });
    if (counts.isDone || counts.checked >= limit) return counts;
  }
  await raiseMark(access, 'sweep', { n: counts.upTo, sequence });
  return { ...counts, isDone: true };
};

/**
 * The creation time of the oldest listed transaction (for an import, the date in its file). Undefined if nothing is
 * listed.
 */
export const oldestCreationMs = async (deps: WriterDeps): Promise<number | undefined> => {
  const access = writerAccess(deps);
  for await (const batch of batchesBehind(access, 0, await readSequence(access))) {
    const found = await getTransactions(
      access,
      batch.map(({ u }) => u),
    );
    if (found.size > 0) return Math.min(...[...found.values()].map(({ createdAtMs }) => createdAtMs));
  }
  return undefined;
};

const lastOf = (batch: readonly ListingEntry[]) => sequenceNumberOf(batch.at(-1)?.sk ?? '0');

async function* batchesBehind(access: WriterAccess, sequenceNumber: number, sequence: number) {
  const { radix } = access.settings;
  if (sequenceNumber >= sequence) return;
  for (let bucket = bucketOf(radix, sequenceNumber + 1); bucket <= bucketOf(radix, sequence); bucket += 1) {
    const run = { partition: allRunPartition(bucket), from: sequenceNumber + 1, to: sequence + 1 };
    yield* chunksOf(await readRun(access, run), recordsPerRead);
  }
}

type SweptBatch = {
  removed: number;
  /** The last sequence number that is known to be 30 days old, as all before it are. */
  oldest: number;
  /** Just before the first one that is too young, as all after it are. */
  stopsAt?: number;
};

/**
 * Imported transactions have the dates of their file and no session. They are skipped, and say nothing about their
 * neighbours.
 */
const sweepBatch = async (
  access: WriterAccess,
  batch: readonly ListingEntry[],
  cutoffMs: number,
): Promise<SweptBatch> => {
  const found = await getTransactions(
    access,
    batch.map(({ u }) => u),
  );
  const swept = { removed: 0, oldest: 0 };
  for (const { u, sk } of batch) {
    const stored = found.get(u);
    if (stored?.session === undefined) continue;
    if (stored.createdAtMs > cutoffMs) return { ...swept, stopsAt: sequenceNumberOf(sk) - 1 };
    if (await removeEmptyCheckout(access, stored)) swept.removed += 1;
    swept.oldest = sequenceNumberOf(sk);
  }
  return swept;
};

/** The present value of the creation sequence. */
const readSequence = async ({ documents, listingTable, retryDelays }: TableAccess<'listingTable'>) => {
  const request = consistentGet(listingTable, sequenceKey);
  return Number((await withRetries(() => documents.send(request), retryDelays)).Item?.n ?? 0);
};

/** Each try is lost to a simultaneous change. Whoever makes such changes on purpose only keeps one record. */
const removalTries = 5;

/**
 * Removes an empty checkout, even if it was moved since it was read, because the mark passes it once. Returns whether
 * this call removed it.
 */
const removeEmptyCheckout = async (
  access: WriterAccess,
  stored: StoredTransaction,
  triesLeft = removalTries,
): Promise<boolean> => {
  if (!isEmptyCheckout(stored)) return false;
  const { isRemoved, found } = await removeStored(access, stored);
  return isRemoved || !found || triesLeft === 1
    ? isRemoved
    : removeEmptyCheckout(access, found, triesLeft - 1);
};

type Removal = { isRemoved: boolean; found?: StoredTransaction | undefined };

/**
 * Removes a transaction with its listing and its debounce row in one atomic write, on the condition that it is as it was read (V1-8).
 * Otherwise returns the stored state: a change keeps it, and another sweep may have been faster.
 */
const removeStored = async (access: WriterAccess, stored: StoredTransaction): Promise<Removal> => {
  const change = listingChange(stored, undefined, access.settings, access.retryDelays.random());
  const write = atomicWrite(access, [
    { Delete: deleteUnchanged(access.transactionsTable, stored) },
    ...listingStatements(access.listingTable, change),
    { Delete: deleteNotify(debounceOf(access), stored.transaction.uuid) },
  ]);
  return withRetries(async (perhapsDone) => {
    try {
      await write();
      return { isRemoved: true };
    } catch (error) {
      if (failureOf(error) !== 'condition-failed') throw error;
      const found = await getTransaction(access, stored.transaction.uuid);
      return { isRemoved: !found && (perhapsDone || wasSentAgain(error)), found };
    }
  }, access.retryDelays);
};

/**
 * A creation has a unique sequence number, so a transaction that is imported again under the same uuid is another one.
 */
const deleteUnchanged = (table: string, stored: StoredTransaction): Statement['Delete'] => {
  const condition = isUnchanged(stored);
  return {
    TableName: table,
    Key: { uuid: stored.transaction.uuid },
    ConditionExpression: `${condition.ConditionExpression} AND #sequenceNumber = :sequenceNumber`,
    ExpressionAttributeNames: { ...condition.ExpressionAttributeNames, '#sequenceNumber': 'sequenceNumber' },
    ExpressionAttributeValues: {
      ...condition.ExpressionAttributeValues,
      ':sequenceNumber': stored.sequenceNumber,
    },
  };
};
