import type { StoredTransaction } from '../transaction/transaction.ts';
import type { EventElementName, VersionRange } from './event.ts';
import type { EventSettings } from './timing.ts';

/** The key of a debounce row. */
export type DebounceRowKey = { uuid: string; kind: 'NOTIFY' };
/** The key of a completion marker. */
export type CompletionMarkerKey = { uuid: string; kind: 'COMPLETED' };
/** The key of either row. */
export type DueRowKey = DebounceRowKey | CompletionMarkerKey;

/** An event that a flusher is sending, or was sending when it died. */
export type Inflight = VersionRange & {
  eventId: string;
  elements: EventElementName[];
  /** The row's change count when it was claimed: whether a change came in between shows at the end. */
  changeCount: number;
  claimedAtMs: number;
  /** 1 for the first claim, +1 for each renewed lease. */
  attempts: number;
  /** The end of the first lease; that of a later one is the row's `dueAtMs`. */
  leasedUntilMs: number;
};

/** What both rows have. A row is scheduled as long as `dueAtMs` is there, and always while `inflight` is. */
type DueRowState = {
  dueAtMs?: number;
  /** +1 at every step of a flusher. Conditions compare it, never `dueAtMs`, which can be the same again. */
  revision: number;
  /** +1 for every change that the stream recorded. */
  changeCount: number;
  lastSentAtMs?: number;
  inflight?: Inflight;
};

/** Up to which version partners are notified of a transaction, and when it is due next. */
export type DebounceRow = DebounceRowKey &
  DueRowState & {
    /** Absent before the first event: then the transaction's `notifyFromVersion` decides (EV-10). */
    notifiedVersion?: number;
    /** For people and metrics, never for decisions: names that the stream recorded since the last event. */
    changed?: string[];
  };

/** What a completing payment leaves: TransactionCompleted is still to be sent. */
export type CompletionMarker = CompletionMarkerKey &
  DueRowState & {
    /** The completing version. */
    version?: number;
  };

/** Whether something scheduled is to be looked at: its time has come, and nobody is sending it. */
export const isDueAt = (
  { dueAtMs, inflight }: { dueAtMs?: number; inflight?: Pick<Inflight, 'leasedUntilMs'> },
  nowMs: number,
): boolean => dueAtMs !== undefined && dueAtMs <= nowMs && (inflight?.leasedUntilMs ?? 0) <= nowMs;

/** A row that the due index finds while it is scheduled. */
export type DueRow = DebounceRow | CompletionMarker;

/** The row that a key names. */
export type DueRowOf<Key extends DueRowKey> = Extract<DueRow, Pick<Key, 'kind'>>;

/** What is to be done with a due debounce row that has nothing in flight. */
type DebounceRowDecision =
  | { step: 'unschedule' }
  /** Nobody is notified of what happened up to this version, now or later. */
  | { step: 'pass-over'; version: number }
  | { step: 'reschedule'; dueAtMs: number }
  | { step: 'claim'; range: VersionRange };

/**
 * Strict dormancy (EV-1): an event leaves when its transaction has rested for the dormancy since the last change and since
 * its last event; before that, the debounce row is rescheduled to exactly then. Where nothing is pending it is unscheduled.
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
 * Until when an event that is sent again waits for a newer one of its transaction (I2); undefined while nothing is pending or
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
  'version' | 'elementVersions' | 'notifyFromVersion' | 'updatedAtMs' | 'transaction' | 'session'
>;

/** Whether a part changed after what was sent. A version that was only lifted, after a restore, changed none (DR-3). */
export const isPending = (
  debounceRow: Pick<DebounceRow, 'notifiedVersion'> | undefined,
  stored: Pick<StoredTransaction, 'elementVersions' | 'notifyFromVersion'>,
): boolean => Math.max(...Object.values(stored.elementVersions)) > notifiedVersionOf(debounceRow, stored);

/**
 * Created and deleted before anything was sent about it: nobody hears of it at all (EV-11). A completion is sent at once; and an
 * imported transaction, which has no session, was in the lists of its partners from the beginning.
 */
export const isNeverNotified = (
  debounceRow: Pick<DebounceRow, 'lastSentAtMs'> | undefined,
  { transaction, session, version }: Pick<StoredTransaction, 'transaction' | 'session' | 'version'>,
): boolean =>
  !isGivenByRestore(version) &&
  transaction.isDeleted === 1 &&
  transaction.status === 0 &&
  session !== undefined &&
  debounceRow?.lastSentAtMs === undefined;

/** Such a version is a time (DR-3), for nothing is changed so often. What was sent before it may be known nowhere any more. */
const isGivenByRestore = (version: number): boolean => version > 1e12;

/** Up to which version partners are notified of a transaction's changes (EV-10). */
export const notifiedVersionOf = (
  debounceRow: Pick<DebounceRow, 'notifiedVersion'> | undefined,
  { notifyFromVersion }: Pick<StoredTransaction, 'notifyFromVersion'>,
): number => debounceRow?.notifiedVersion ?? notifyFromVersion - 1;

const dormantAtMs = (
  { lastSentAtMs = 0 }: DebounceRow,
  updatedAtMs: number,
  { dormancyMs }: EventSettings,
): number => Math.max(updatedAtMs, lastSentAtMs) + dormancyMs;

/** Whether a claim is still young enough to send: after that, another flusher may have its lease. */
export const mayStillSend = (claimedAtMs: number, nowMs: number, { abandonMs }: { abandonMs: number }) =>
  nowMs - claimedAtMs <= abandonMs;

/** Whether a change completes the transaction. It happens once, and TransactionCompleted is sent for it (I8). */
export const completes = (before: StoredTransaction, after: StoredTransaction): boolean =>
  before.transaction.status === 0 && after.transaction.status === 1;

/** The marker that is written together with the completing change, due at once: no crash separates the two (I8). */
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
