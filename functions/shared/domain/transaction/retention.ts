import { erasedState } from './erasure.ts';
import { nextState } from './next-state.ts';
import type { StoredTransaction } from './transaction.ts';

export const dayMs = 24 * 60 * 60 * 1000;

/** For this many days an operator can restore a transaction that retention deleted (V1-8). */
export const keptDeletedDays = 30;

/** The days for which a stage keeps incomplete transactions, from its configuration. `never` deletes none. */
export const readIncompleteDays = (text: string): number => {
  if (text === 'never') return Number.POSITIVE_INFINITY;
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new Error(`"${text}" is neither a number of days nor "never".`);
  return Number(text);
};

type Retention = { nowMs: number; incompleteDays: number };

/**
 * What retention does with a transaction of this age (V1-8). Undefined for nothing. An incomplete one that a session
 * began is deleted after `incompleteDays` without a change, and erased 30 days later. One that somebody else deleted is
 * erased after `incompleteDays`, too. Until then it can be restored.
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

/** Deletes in the same way as DEL-1. */
const deleted = (stored: StoredTransaction, nowMs: number): StoredTransaction | undefined => {
  const after = nextState(stored, { ...stored.transaction, isDeleted: 1 }, new Date(nowMs));
  return after && { ...after, expiredAtMs: after.updatedAtMs };
};
