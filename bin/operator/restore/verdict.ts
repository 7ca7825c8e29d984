import { isPending } from '../../../functions/shared/domain/event/debounce-row.ts';
import { isEmptyCheckout } from '../../../functions/shared/domain/transaction/empty-checkout.ts';
import {
  type StoredTransaction,
  versionedParts,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { isWaiting, type Notified } from './notified.ts';

/** Which of the two tables that record changes were restored. */
export type WentBack = { transactions: boolean; deliveryLog: boolean };

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
  /** The newest claim in the Debounce table: the table is of this time or later. */
  deliveryLogToMs: number;
};

/** Buyers rarely continue an empty checkout later than this. */
const goesOnMs = 24 * 60 * 60 * 1000;

/**
 * Decides about a transaction (DR-3, DR-4). An intact delivery log says what was sent beyond the present state. Where it was
 * restored together with the transactions, every transaction is sent; an empty checkout only where a buyer may have continued
 * it.
 */
export const verdictOn = (
  stored: StoredTransaction,
  notified: Notified | undefined,
  { wentBack, floor, restoredToMs, deliveryLogToMs }: RestorePoint,
): Verdict => {
  if (stored.version >= floor) return 'leave';
  if (wentBack.transactions && wentBack.deliveryLog)
    return isEmptyCheckout(stored) && stored.updatedAtMs < restoredToMs - goesOnMs ? 'lift' : 'notify';
  if (wentBack.transactions) return isNotifiedBeyond(stored, notified, restoredToMs) ? 'notify' : 'lift';
  if (!wentBack.deliveryLog) return 'leave';
  const isUndelivered = notified !== undefined && mayBeUndelivered(notified, deliveryLogToMs);
  return isUndelivered || isWaiting(notified?.completion) || isPending(notified, stored) ? 'lift' : 'leave';
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

/** The bus tries for 24 hours, and its dead letter is collected within an hour after that. */
const busTriesMs = 25 * 60 * 60 * 1000;

/**
 * Whether the bus may have had a delivery at the time of the restored delivery log, and so may have given it up since (DR-11).
 */
export const isWithBus = (acceptedAtMs: number, deliveryLogToMs: number): boolean =>
  acceptedAtMs > Math.max(0, deliveryLogToMs - busTriesMs);

/** Whether a delivery was open at that time, or may have been given up since: it is sent again under a new version. */
export const mayBeUndelivered = ({ isOpen, acceptedAtMs }: Notified, deliveryLogToMs: number): boolean =>
  isOpen || isWithBus(acceptedAtMs, deliveryLogToMs);

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
