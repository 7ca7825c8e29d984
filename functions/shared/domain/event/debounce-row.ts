import type { StoredTransaction } from '../transaction/transaction.ts';
import type { EventElementName, VersionRange } from './event.ts';
import type { EventSettings } from './timing.ts';

/** The key of a debounce row. */
export type DebounceRowKey = { uuid: string; kind: 'NOTIFY' };
/** The key of a completion marker. */
export type CompletionMarkerKey = { uuid: string; kind: 'COMPLETED' };
/** The key of either row. */
export type DueRowKey = DebounceRowKey | CompletionMarkerKey;

/** An event that a sender is sending, or was sending when it died. */
export type Inflight = VersionRange & {
  eventId: string;
  elements: EventElementName[];
  /** The row's change count at its claim. A difference at the end shows that a change came meanwhile. */
  changeCount: number;
  claimedAtMs: number;
  /** 1 for the first claim, +1 for each renewed lease. */
  attempts: number;
  /** The end of the first lease. That of a later one is the row's `dueAtMs`. */
  leasedUntilMs: number;
};

/** What both rows have. A row is scheduled while it has `dueAtMs`, and always while it has `inflight`. */
type DueRowState = {
  dueAtMs?: number;
  /** +1 at every step of a sender. Conditions compare it, never `dueAtMs`, which can have the same value again. */
  revision: number;
  /** +1 for every change that the stream recorded. */
  changeCount: number;
  lastSentAtMs?: number;
  inflight?: Inflight;
};

/** The version up to which partners were notified of a transaction, and when it is due next. */
export type DebounceRow = DebounceRowKey &
  DueRowState & {
    /** Absent before the first event. Then the transaction's `notifyFromVersion` decides (EV-10). */
    notifiedVersion?: number;
    /** For people and metrics, never for decisions: names that the stream recorded since the last event. */
    changed?: string[];
  };

/** Left by a completing payment: TransactionCompleted is still to be sent. */
export type CompletionMarker = CompletionMarkerKey &
  DueRowState & {
    /** The completing version. */
    version?: number;
  };

/** Whether a scheduled row is to be processed: it is due, and nobody is sending it. */
export const isDueAt = (
  { dueAtMs, inflight }: { dueAtMs?: number; inflight?: Pick<Inflight, 'leasedUntilMs'> },
  nowMs: number,
): boolean => dueAtMs !== undefined && dueAtMs <= nowMs && (inflight?.leasedUntilMs ?? 0) <= nowMs;

/** A row that the index of due rows finds while it is scheduled. */
export type DueRow = DebounceRow | CompletionMarker;

/** The row of a key. */
export type DueRowOf<Key extends DueRowKey> = Extract<DueRow, Pick<Key, 'kind'>>;

/** What to do with a due debounce row that has no event in flight. */
type DebounceRowDecision =
  | { step: 'unschedule' }
  /** Nobody is notified of changes up to this version, now or later. */
  | { step: 'pass-over'; version: number }
  | { step: 'reschedule'; dueAtMs: number }
  | { step: 'claim'; range: VersionRange };

/**
 * Strict dormancy (EV-1): an event leaves when its transaction has rested for the dormancy since its last change and
 * since its last event. Before that, the row is rescheduled to exactly that time. If nothing is pending, the row is
 * unscheduled.
 */
export const decideDebounceRow = (
  debounceRow: DebounceRow,
  stored: Pending | undefined,
  { nowMs, settings }: { nowMs: number; settings: EventSettings },
): DebounceRowDecision => {
  if (!stored || !isPending(debounceRow, stored)) return { step: 'unschedule' };
  const range = { from: notifiedVersionOf(debounceRow, stored), to: stored.version };
  const dueAtMs = dormantAtMs(debounceRow, stored.updatedAtMs, settings);
  if (nowMs < dueAtMs) return { step: 'reschedule', dueAtMs };
  return isNeverNotified(debounceRow, stored)
    ? { step: 'pass-over', version: range.to }
    : { step: 'claim', range };
};

/**
 * Until when an event that is sent again waits for a newer one of its transaction (I2). Undefined if none is pending or
 * in flight. `debounceRow` was read before `stored`.
 */
export const waitsForNewerUntilMs = (
  debounceRow: DebounceRow,
  stored: Pending,
  { nowMs, settings }: { nowMs: number; settings: EventSettings },
): number | undefined => {
  if (debounceRow.inflight) return nowMs + settings.leaseMs;
  const next = decideDebounceRow(debounceRow, stored, { nowMs, settings });
  if (next.step === 'unschedule') return undefined;
  return (next.step === 'reschedule' ? next.dueAtMs : nowMs) + settings.leaseMs;
};

type Pending = Pick<
  StoredTransaction,
  | ('version' | 'elementVersions' | 'notifyFromVersion' | 'updatedAtMs')
  | ('transaction' | 'session' | 'isErasedCheckout')
>;

/** Whether a part changed after what was sent. A restore raises versions without a change of a part (DR-3). */
export const isPending = (
  debounceRow: Pick<DebounceRow, 'notifiedVersion'> | undefined,
  stored: Pick<StoredTransaction, 'elementVersions' | 'notifyFromVersion'>,
): boolean => Math.max(...Object.values(stored.elementVersions)) > notifiedVersionOf(debounceRow, stored);

/**
 * Nobody is notified of a transaction that was created and deleted before its first event (EV-11). A completion is sent
 * at once. An imported transaction, which never had a session, was in its partners' lists from the beginning.
 */
export const isNeverNotified = (
  debounceRow: Pick<DebounceRow, 'lastSentAtMs'> | undefined,
  {
    transaction,
    session,
    isErasedCheckout,
    version,
  }: Pick<StoredTransaction, 'transaction' | 'session' | 'isErasedCheckout' | 'version'>,
): boolean =>
  !isGivenByRestore(version) &&
  transaction.isDeleted === 1 &&
  transaction.status === 0 &&
  (session !== undefined || isErasedCheckout === true) &&
  debounceRow?.lastSentAtMs === undefined;

/**
 * A restore sets the version to a time (DR-3), which no number of changes reaches. What was sent before it may be
 * unknown.
 */
const isGivenByRestore = (version: number): boolean => version > 1e12;

/** The version up to which partners were notified of a transaction's changes (EV-10). */
export const notifiedVersionOf = (
  debounceRow: Pick<DebounceRow, 'notifiedVersion'> | undefined,
  { notifyFromVersion }: Pick<StoredTransaction, 'notifyFromVersion'>,
): number => debounceRow?.notifiedVersion ?? notifyFromVersion - 1;

const dormantAtMs = (
  { lastSentAtMs = 0 }: DebounceRow,
  updatedAtMs: number,
  { dormancyMs }: EventSettings,
): number => Math.max(updatedAtMs, lastSentAtMs) + dormancyMs;

/** Whether a claim is young enough to send. After that, another sender may have its lease. */
export const mayStillSend = (claimedAtMs: number, nowMs: number, { abandonMs }: { abandonMs: number }) =>
  nowMs - claimedAtMs <= abandonMs;

/** Whether a change completes the transaction. This happens once, and TransactionCompleted is sent for it (I8). */
export const completes = (before: StoredTransaction, after: StoredTransaction): boolean =>
  before.transaction.status === 0 && after.transaction.status === 1;

/** The marker that is written together with the completing change, due at once, so no crash separates the two (I8). */
export const completionMarker = ({
  transaction,
  version,
  updatedAtMs,
}: StoredTransaction): CompletionMarker => ({
  uuid: transaction.uuid,
  kind: 'COMPLETED',
  version,
  dueAtMs: updatedAtMs,
  revision: 0,
  changeCount: 0,
});
