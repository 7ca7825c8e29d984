import type { StoredTransaction } from '../transaction/transaction.ts';
import type { EventElementName, VersionRange } from './event.ts';
import type { EventSettings } from './timing.ts';

/** A transaction's cursor: how far its changes are told. */
export type CursorKey = { uuid: string; kind: 'NOTIFY' };
/** The marker that a completing payment leaves: its event is still to be published. */
export type CompletionMarkerKey = { uuid: string; kind: 'COMPLETED' };
export type DueRowKey = CursorKey | CompletionMarkerKey;

/** An event that somebody is sending, or was when it died. */
export type Inflight = VersionRange & {
  eventId: string;
  elements: EventElementName[];
  /** The row's `changeCount` when it was claimed: whether something came in between shows at the end. */
  changeCount: number;
  claimedAtMs: number;
  /** 1 for the first claim, +1 for each renewed lease. */
  attempts: number;
};

/** What both rows have. Scheduled as long as `dueAtMs` is there, and always while `inflight` is. */
type DueRowState = {
  dueAtMs?: number;
  /** +1 at every step of a flusher. Conditions compare it, never `dueAtMs`, which can be the same again. */
  revision: number;
  /** +1 for every change that the stream told of. */
  changeCount: number;
  lastSentAtMs?: number;
  inflight?: Inflight;
};

/** What is still to be told of one transaction. */
export type Cursor = CursorKey &
  DueRowState & {
    /** Up to which version everything is told; absent = the transaction's `silentUpToVersion` (EV-10). */
    notifiedVersion?: number;
    /** When the first change was made that is not told yet (EV-1). */
    heldSinceMs?: number;
    /** For people and metrics, never for decisions: names that the stream told of since the last event. */
    changed?: string[];
  };

/** A completion that is still to be told. */
export type CompletionMarker = CompletionMarkerKey &
  DueRowState & {
    /** The completing version. */
    version?: number;
  };

/** A row of the debounce table that the due index finds while it is scheduled. */
export type DueRow = Cursor | CompletionMarker;

/** The row that a key names. */
export type DueRowOf<Key extends DueRowKey> = Extract<DueRow, Pick<Key, 'kind'>>;

/** What is to be done with a due cursor that nobody is sending. */
export type CursorDecision =
  | { step: 'unschedule' }
  | { step: 'reschedule'; dueAtMs: number }
  | { step: 'claim'; range: VersionRange };

/**
 * Strict dormancy (EV-1): 120 s after the last change and after the last event of this transaction (EV-2), else it is looked
 * at again exactly then. Nothing to tell: unscheduled.
 */
export const decideCursor = (
  cursor: Cursor,
  stored: Pick<StoredTransaction, 'version' | 'silentUpToVersion' | 'updatedAtMs'> | undefined,
  { nowMs, settings }: { nowMs: number; settings: EventSettings },
): CursorDecision => {
  const range = stored && { from: notifiedVersionOf(cursor, stored), to: stored.version };
  if (!range || range.to <= range.from) return { step: 'unschedule' };
  const dueAtMs = dormantAtMs(cursor, stored.updatedAtMs, settings);
  return nowMs < dueAtMs ? { step: 'reschedule', dueAtMs } : { step: 'claim', range };
};

/** Up to which version a transaction's changes are told (EV-10). */
export const notifiedVersionOf = (
  cursor: Pick<Cursor, 'notifiedVersion'> | undefined,
  { silentUpToVersion }: Pick<StoredTransaction, 'silentUpToVersion'>,
): number => cursor?.notifiedVersion ?? silentUpToVersion;

const dormantAtMs = (
  { lastSentAtMs = 0, heldSinceMs }: Cursor,
  updatedAtMs: number,
  { dormancyMs, maxHoldMs }: EventSettings,
): number => {
  const restsAtMs = updatedAtMs + dormancyMs;
  const heldUntilMs =
    maxHoldMs === undefined || heldSinceMs === undefined ? restsAtMs : heldSinceMs + maxHoldMs;
  return Math.max(Math.min(restsAtMs, heldUntilMs), lastSentAtMs + dormancyMs);
};

/** Whether one who claimed at `claimedAtMs` is still in time to send. */
export const mayStillSend = (claimedAtMs: number, nowMs: number, { abandonMs }: { abandonMs: number }) =>
  nowMs - claimedAtMs <= abandonMs;

/** Whoever completes a transaction tells of it by itself; what it leaves is found by the flush after so long (events 6). */
const graceMs = 10_000;

/** Whether a change completes the transaction: it happens once (V2-4), and TransactionCompleted tells of it (I8). */
export const completes = (before: StoredTransaction, after: StoredTransaction): boolean =>
  before.transaction.status === 0 && after.transaction.status === 1;

/** What goes in with the completing change, so that no crash separates the two (events 6). */
export const completionMarker = ({
  transaction,
  version,
  updatedAtMs,
}: StoredTransaction): CompletionMarker => ({
  uuid: transaction.uuid,
  kind: 'COMPLETED',
  version,
  dueAtMs: updatedAtMs + graceMs,
  revision: 0,
  changeCount: 0,
});
