import { isPending } from '../../../functions/shared/domain/event/cursor.ts';
import { isSilent } from '../../../functions/shared/domain/transaction/silence.ts';
import {
  type StoredTransaction,
  versionedParts,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { isWaiting, type Told } from './told.ts';

/** Which of the two tables that tell of changes went back. */
export type WentBack = { transactions: boolean; ledger: boolean };

/**
 * `lift`: another version, and nothing to tell beyond what is pending already. `tell`: partners may know another state than
 * the present one, and are told all of it.
 */
export type Verdict = 'leave' | 'lift' | 'tell';

export type Doubt = {
  wentBack: WentBack;
  /** Above every version that there ever was. */
  floor: number;
  restoredToMs: number;
  /** The Debounce table is of this time or later. */
  ledgerToMs: number;
};

/** So long somebody may go on with a checkout for which nothing was sent yet; who comes back later is an exception. */
const goesOnMs = 24 * 60 * 60 * 1000;

/**
 * What becomes of a transaction (DR-3, DR-4). Where the ledger is whole, it says what was told beyond the present state. Where
 * it went back together with the transactions, nobody knows, and all is told; a silent checkout only where
 * somebody may have gone on with it.
 */
export const verdictOn = (
  stored: StoredTransaction,
  told: Told | undefined,
  { wentBack, floor, restoredToMs, ledgerToMs }: Doubt,
): Verdict => {
  if (stored.version >= floor) return 'leave';
  if (wentBack.transactions && wentBack.ledger)
    return isSilent(stored) && stored.updatedAtMs < restoredToMs - goesOnMs ? 'lift' : 'tell';
  if (wentBack.transactions) return isToldBeyond(stored, told, restoredToMs) ? 'tell' : 'lift';
  if (!wentBack.ledger) return 'leave';
  const isDoubtful = told !== undefined && isInDoubt(told, ledgerToMs);
  return isDoubtful || isWaiting(told?.completion) || isPending(told, stored) ? 'lift' : 'leave';
};

/** What was erased since has the version of another change, perhaps, that was told before. */
const isToldBeyond = (stored: StoredTransaction, told: Told | undefined, restoredToMs: number): boolean => {
  const isErasedSince = (stored.erasedAtMs ?? 0) > restoredToMs;
  return (told?.upTo ?? 0) > stored.version - (isErasedSince ? 1 : 0);
};

/** The bus tries for 24 hours; its dead letter is collected soon after. */
const busTriesMs = 25 * 60 * 60 * 1000;

/** Whether the bus had what it took then, at the time to which the ledger went back: it may have given it up since (DR-11). */
export const isWithBus = (acceptedAtMs: number, ledgerToMs: number): boolean =>
  acceptedAtMs > Math.max(0, ledgerToMs - busTriesMs);

/** Whether something was to be sent then, or may have been given up since: it is sent again, under a version of its own. */
export const isInDoubt = ({ isOpen, acceptedAtMs }: Told, ledgerToMs: number): boolean =>
  isOpen || isWithBus(acceptedAtMs, ledgerToMs);

/** The same state under a version that nobody has seen. */
export const lifted = (stored: StoredTransaction, floor: number): StoredTransaction => ({
  ...stored,
  version: floor,
  // What is silent stays so.
  notifyFromVersion: stored.version < stored.notifyFromVersion ? floor + 1 : stored.notifyFromVersion,
});

/** The same state, as if all of it had just changed: what a partner was told of and is gone is told as removed. */
export const toldWhole = (
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
