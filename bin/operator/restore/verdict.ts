import { isPending } from '../../../functions/shared/domain/event/debounce-row.ts';
import { isSilent } from '../../../functions/shared/domain/transaction/silence.ts';
import {
  type StoredTransaction,
  versionedParts,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { isWaiting, type Notified } from './notified.ts';

/** Which of the two tables that record changes went back. */
export type WentBack = { transactions: boolean; deliveryLog: boolean };

/**
 * `lift`: another version, and nothing to send beyond what is pending already. `notify`: partners may know another state than
 * the present one, and are sent all of it.
 */
export type Verdict = 'leave' | 'lift' | 'notify';

export type RestorePoint = {
  wentBack: WentBack;
  /** Above every version that there ever was. */
  floor: number;
  restoredToMs: number;
  /** The Debounce table is of this time or later. */
  deliveryLogToMs: number;
};

/** So long somebody may go on with a checkout for which nothing was sent yet; who comes back later is an exception. */
const goesOnMs = 24 * 60 * 60 * 1000;

/**
 * What becomes of a transaction (DR-3, DR-4). Where the delivery log is whole, it says what was sent beyond the present
 * state. Where it went back together with the transactions, nobody knows, and all is sent; a silent checkout only where
 * somebody may have gone on with it.
 */
export const verdictOn = (
  stored: StoredTransaction,
  notified: Notified | undefined,
  { wentBack, floor, restoredToMs, deliveryLogToMs }: RestorePoint,
): Verdict => {
  if (stored.version >= floor) return 'leave';
  if (wentBack.transactions && wentBack.deliveryLog)
    return isSilent(stored) && stored.updatedAtMs < restoredToMs - goesOnMs ? 'lift' : 'notify';
  if (wentBack.transactions) return isNotifiedBeyond(stored, notified, restoredToMs) ? 'notify' : 'lift';
  if (!wentBack.deliveryLog) return 'leave';
  const isUndelivered = notified !== undefined && mayBeUndelivered(notified, deliveryLogToMs);
  return isUndelivered || isWaiting(notified?.completion) || isPending(notified, stored) ? 'lift' : 'leave';
};

/** An erasure since took one version, which partners may know as another change: equal versions are not the same state then. */
const isNotifiedBeyond = (
  stored: StoredTransaction,
  notified: Notified | undefined,
  restoredToMs: number,
): boolean => {
  const isErasedSince = (stored.erasedAtMs ?? 0) > restoredToMs;
  return (notified?.upTo ?? 0) > stored.version - (isErasedSince ? 1 : 0);
};

/** The bus tries for 24 hours; its dead letter is collected soon after. */
const busTriesMs = 25 * 60 * 60 * 1000;

/**
 * Whether the bus may still have had it at the time to which the delivery log went back: it may have given it up since
 * (DR-11).
 */
export const isWithBus = (acceptedAtMs: number, deliveryLogToMs: number): boolean =>
  acceptedAtMs > Math.max(0, deliveryLogToMs - busTriesMs);

/** Whether something was to be sent then, or may have been given up since: it is sent again, under a version of its own. */
export const mayBeUndelivered = ({ isOpen, acceptedAtMs }: Notified, deliveryLogToMs: number): boolean =>
  isOpen || isWithBus(acceptedAtMs, deliveryLogToMs);

/** The same state under a version that nobody has seen. */
export const lifted = (stored: StoredTransaction, floor: number): StoredTransaction => ({
  ...stored,
  version: floor,
  // What is silent stays so.
  notifyFromVersion: stored.version < stored.notifyFromVersion ? floor + 1 : stored.notifyFromVersion,
});

/** The same state, as if all of it had just changed: what a partner was notified of and is gone is sent as removed. */
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
    // Equal times say that retention deleted it (V1-8).
    ...(stored.expiredAtMs === stored.updatedAtMs && { expiredAtMs: updatedAtMs }),
  };
};
