import { afterRetention, dayMs, keptDeletedDays } from '../shared/domain/transaction/retention.ts';
import type { StoredTransaction } from '../shared/domain/transaction/transaction.ts';
import { arrivingChunksOf } from '../shared/runtime/chunks.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { ChangeIndex } from '../shared/store/transactions/changed-index.ts';
import type { Mark, MarkName } from '../shared/store/transactions/marks.ts';
import type { TransactionReader } from '../shared/store/transactions/reader.ts';
import type { TransactionWriter } from '../shared/store/transactions/writer.ts';

export type RetentionDeps = {
  changes: ChangeIndex;
  transactions: Pick<TransactionReader, 'byUuids'> & Pick<TransactionWriter, 'replace'>;
  readMark: (name: MarkName) => Promise<Mark | undefined>;
  raiseMark: (name: MarkName, mark: Mark) => Promise<void>;
  /** Undefined while nothing is listed. */
  oldestCreationMs: () => Promise<number | undefined>;
  clock: Clock;
  /** Infinity if nothing is deleted. */
  incompleteDays: number;
};

/** What one invocation of retention did. `isDone` is false if its time ended. */
export type RetentionCounts = { deleted: number; erased: number; isDone: boolean };

const hourMs = 60 * 60 * 1000;
const hourOf = (ms: number) => Math.floor(ms / hourMs) * hourMs;
const recordsPerRead = 50;

/**
 * Deletes transactions that nobody changed for too long, and erases those that it deleted 30 days ago (V1-8). Finds
 * both in the index of changes, from a mark on, so that a missed hour is made up for.
 */
export const createRetention = (deps: RetentionDeps) => async (hasTime: () => boolean) => {
  const counts: RetentionCounts = { deleted: 0, erased: 0, isDone: true };
  const lookups = [
    { name: 'retention-delete', days: deps.incompleteDays },
    { name: 'retention-erase', days: keptDeletedDays },
  ] as const;
  for (const { name, days } of lookups) {
    const untilMs = hourOf(deps.clock().getTime() - days * dayMs);
    const reachedMs = await goOn({ name, untilMs, counts, hasTime }, deps);
    counts.isDone &&= reachedMs >= untilMs;
  }
  return counts;
};

type Lookup = { name: MarkName; untilMs: number; counts: RetentionCounts; hasTime: () => boolean };

/** Continues from the mark, a day at a time, and returns the new mark. */
const goOn = async (lookup: Lookup, deps: RetentionDeps): Promise<number> => {
  let reachedMs = await markOf(lookup.name, deps);
  while (reachedMs < lookup.untilMs && lookup.hasTime()) {
    const toMs = Math.min(reachedMs + dayMs, lookup.untilMs);
    reachedMs = await workOff({ fromMs: reachedMs, toMs }, lookup, deps);
    await deps.raiseMark(lookup.name, { n: reachedMs });
  }
  return reachedMs;
};

/** A late first invocation begins with the oldest transaction, one in time a day before the first change. */
const markOf = async (name: MarkName, deps: RetentionDeps): Promise<number> => {
  const { readMark, raiseMark, oldestCreationMs, clock } = deps;
  const mark = await readMark(name);
  if (mark) return mark.n;
  const yesterdayMs = hourOf(clock().getTime()) - dayMs;
  const beginsMs = Math.min(yesterdayMs, (await oldestCreationMs()) ?? yesterdayMs);
  await raiseMark(name, { n: beginsMs });
  return beginsMs;
};

/** Returns the time up to which nothing is left to do. */
const workOff = async (
  span: { fromMs: number; toMs: number },
  { counts, hasTime }: Lookup,
  deps: RetentionDeps,
): Promise<number> => {
  for await (const changed of arrivingChunksOf(deps.changes.changedBetween(span), recordsPerRead)) {
    // The index is read in the order of changes, so everything before this one is done.
    if (!hasTime()) return changed[0]?.updatedAtMs ?? span.fromMs;
    const found = await deps.transactions.byUuids(changed.map(({ uuid }) => uuid));
    for (const stored of found.values()) await expire(stored, counts, deps);
  }
  return span.toMs;
};

/** Each try is lost to a simultaneous change. */
const mostTries = 5;

/**
 * A transaction that changed meanwhile is checked again: a move to a signed-in session leaves it at its place in the
 * index (V1-10).
 */
const expire = async (
  stored: StoredTransaction,
  counts: RetentionCounts,
  deps: RetentionDeps,
  triesLeft = mostTries,
): Promise<void> => {
  const { transactions, clock, incompleteDays } = deps;
  const after = afterRetention(stored, { nowMs: clock().getTime(), incompleteDays });
  if (!after) return;
  if (!(await transactions.replace(stored, after)).ok) {
    const found = (await transactions.byUuids([stored.transaction.uuid])).get(stored.transaction.uuid);
    return found && triesLeft > 1 ? expire(found, counts, deps, triesLeft - 1) : undefined;
  }
  if (after.erasedAtMs === undefined) counts.deleted += 1;
  else counts.erased += 1;
};
