import { erasedState } from './erasure.ts';
import { nextState } from './next-state.ts';
import type { StoredTransaction } from './transaction.ts';

export const dayMs = 24 * 60 * 60 * 1000;

/** What retention deleted keeps its contents for so many days, in which an operator can restore it (V1-8). */
export const keptDeletedDays = 30;

/** The days that a stage keeps incomplete transactions, as its configuration says them; `never` deletes none. */
export const readIncompleteDays = (text: string): number => {
  if (text === 'never') return Number.POSITIVE_INFINITY;
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new Error(`"${text}" is neither a number of days nor "never".`);
  return Number(text);
};

type Retention = { nowMs: number; incompleteDays: number };

/**
 * What becomes of a transaction by its age (V1-8); undefined where it stays as it is. An incomplete one that a session began,
 * and that nobody changed for `incompleteDays`, is deleted, and 30 days later erased. One that somebody else had deleted is
 * erased after `incompleteDays`, too: until then it may be restored.
 */
export const afterRetention = (
  stored: StoredTransaction,
  { nowMs, incompleteDays }: Retention,
): StoredTransaction | undefined => {
  const { session, transaction, erasedAtMs, updatedAtMs } = stored;
  if (session === undefined || transaction.status === 1 || erasedAtMs !== undefined) return undefined;
  const isUnchangedFor = (days: number) => nowMs - updatedAtMs >= days * dayMs;
  if (transaction.isDeleted === 0) return isUnchangedFor(incompleteDays) ? deleted(stored, nowMs) : undefined;
  const isOfRetention = stored.expiredAtMs === updatedAtMs;
  const keptDays = isOfRetention ? keptDeletedDays : Math.max(incompleteDays, keptDeletedDays);
  return isUnchangedFor(keptDays) ? erasedState(stored, nowMs) : undefined;
};

/** As DEL-1 deletes. */
const deleted = (stored: StoredTransaction, nowMs: number): StoredTransaction | undefined => {
  const after = nextState(stored, { ...stored.transaction, isDeleted: 1 }, new Date(nowMs));
  return after && { ...after, expiredAtMs: after.updatedAtMs };
};
