import { isEmptyCheckout } from '../../../functions/shared/domain/transaction/empty-checkout.ts';
import {
  type StoredTransaction,
  versionedParts,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import type { Notified } from './notified.ts';

/** Which of the two tables that record changes were restored. */
export type WentBack = { transactions: boolean; debounce: boolean };

/**
 * `lift`: a new version, and no event beyond the pending ones. `notify`: partners may know another state, and are sent all of
 * the transaction.
 */
export type Verdict = 'leave' | 'lift' | 'notify';

export type RestorePoint = {
  wentBack: WentBack;
  /** A version above all that were ever given. */
  floor: number;
  restoredToMs: number;
};

/** Buyers rarely continue an empty checkout later than this. */
const goesOnMs = 24 * 60 * 60 * 1000;

/**
 * Decides about a transaction (DR-3, DR-4). An intact Debounce table says what was sent beyond the present state. Where it was
 * restored together with the transactions, every transaction is sent; an empty checkout only where a buyer may have continued
 * it. Where it alone was restored, versions are what they were: the same range is sent with the same id.
 */
export const verdictOn = (
  stored: StoredTransaction,
  notified: Notified | undefined,
  { wentBack, floor, restoredToMs }: RestorePoint,
): Verdict => {
  if (stored.version >= floor || !wentBack.transactions) return 'leave';
  if (wentBack.debounce)
    return isEmptyCheckout(stored) && stored.updatedAtMs < restoredToMs - goesOnMs ? 'lift' : 'notify';
  return isNotifiedBeyond(stored, notified, restoredToMs) ? 'notify' : 'lift';
};

/** An erasure after the restore took one version, which partners may know as another change: it does not count. */
const isNotifiedBeyond = (
  stored: StoredTransaction,
  notified: Notified | undefined,
  restoredToMs: number,
): boolean => {
  const isErasedSince = (stored.erasedAtMs ?? 0) > restoredToMs;
  return (notified?.upTo ?? 0) > stored.version - (isErasedSince ? 1 : 0);
};

/** The same state under an unseen version. */
export const lifted = (stored: StoredTransaction, floor: number): StoredTransaction => ({
  ...stored,
  version: floor,
  // A transaction below its `notifyFromVersion` stays below it.
  notifyFromVersion: stored.version < stored.notifyFromVersion ? floor + 1 : stored.notifyFromVersion,
});

/** The same state, as if all of it had just changed: elements that are gone are then sent as removed. */
export const notifiedWhole = (
  stored: StoredTransaction,
  { floor, nowMs }: { floor: number; nowMs: number },
): StoredTransaction => {
  const updatedAtMs = Math.max(stored.updatedAtMs + 1, nowMs);
  return {
    ...stored,
    version: floor,
    elementVersions: Object.fromEntries(
      versionedParts.map((part) => [part, floor]),
    ) as StoredTransaction['elementVersions'],
    updatedAtMs,
    // Equal times mean that retention deleted the transaction (V1-8).
    ...(stored.expiredAtMs === stored.updatedAtMs && { expiredAtMs: updatedAtMs }),
  };
};
