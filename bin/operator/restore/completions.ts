import type { CompletionMarker } from '../../../functions/shared/domain/event/debounce-row.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { makeDue } from '../../../functions/shared/replay/make-due.ts';
import { type Adoption, longestMs, wentBack } from './adoption.ts';
import { type CompletionDelivery, isWaiting, type Notified } from './notified.ts';
import { isWithBus } from './verdict.ts';

/**
 * Withholds a completion that the restore has undone, or whose transaction is deleted by now (DR-10). Sends one again that
 * may not have been sent (DR-11).
 */
export const completeMarker = async (
  stored: StoredTransaction,
  notified: Notified | undefined,
  adoption: Adoption,
): Promise<void> => {
  const end = endOf(stored);
  if (end) {
    if (notified) await withhold(notified, end, adoption);
    return;
  }
  if (!wentBack(adoption, 'debounce')) return;
  await notifyAgain(stored, notified, adoption);
  await scheduleAgain(notified?.completions ?? [], adoption);
};

/** Why a completion is withheld, and the note in its timeline. */
type End = { reason: 'UNDONE' | 'DELETED'; note: string };
const undone: End = { reason: 'UNDONE', note: 'UNDONE: a restore undid the completion' };
const deleted: End = { reason: 'DELETED', note: 'DELETED: the transaction is deleted' };

/** A deletion's own version stays, so a completion under a raised version would arrive after it (DEL-1). */
const endOf = ({ transaction: { status, isDeleted } }: StoredTransaction): End | undefined => {
  if (status === 0) return undone;
  return isDeleted === 1 ? deleted : undefined;
};

const withhold = async (
  { completion, completions }: Notified,
  end: End,
  adoption: Adoption,
): Promise<void> => {
  const { deps, dryRun, report } = adoption;
  if (end.reason === 'UNDONE' && !dryRun) await markUndone(completions, adoption);
  for (const { eventId, clientId, state } of completions.filter(({ isOpen }) => isOpen)) {
    report.completionsWithheld += 1;
    const atMs = deps.now().getTime();
    const entry = { atMs, step: 'suppressed', note: end.note } as const;
    const ended = { eventId, clientId, from: [state], to: 'SUPPRESSED', atMs, entry } as const;
    if (!dryRun) await deps.deliveryLog.move({ ...ended, reason: end.reason });
  }
  // The marker ends last: a repeated run finds recipients without a row by its event in flight.
  if (completion && !dryRun) await endMarker(completion, adoption);
};

/**
 * Marks the deliveries that the bus has: a later dead letter then ends them for good instead of a redrive (EV-13). Their age
 * does not matter, since dead letters wait in their queue while tables are restored.
 */
const markUndone = async (completions: readonly CompletionDelivery[], { deps }: Adoption): Promise<void> => {
  const onItsWay = completions.filter(({ state, isUndone }) => state === 'ACCEPTED' && !isUndone);
  for (const { eventId, clientId } of onItsWay) {
    const atMs = deps.now().getTime();
    const entry = { atMs, step: 'undone' } as const;
    await deps.deliveryLog.move({ eventId, clientId, from: ['ACCEPTED'], to: 'ACCEPTED', atMs, entry });
  }
};

/** Completes or unschedules the marker. With an event in flight, no recipient is left for the end of its lease. */
const endMarker = async (marker: CompletionMarker, { deps }: Adoption): Promise<void> => {
  const { inflight, dueAtMs } = marker;
  const nowMs = deps.now().getTime();
  if (inflight) await deps.debounceRows.complete(marker, { ...inflight, nowMs, rescheduleAtMs: nowMs });
  else if (dueAtMs !== undefined) await deps.debounceRows.unschedule(marker, marker);
};

/**
 * Sends a completion under an unseen version where its marker is waiting, or where the transaction was completed after the
 * time of the restored delivery log, which may have lost its deliveries.
 */
const notifyAgain = async (
  stored: StoredTransaction,
  notified: Notified | undefined,
  adoption: Adoption,
): Promise<void> => {
  const marker = notified?.completion;
  const isLost = !marker && !notified?.isCompletionNotified && isCompletedSince(stored, adoption);
  if (!isWaiting(marker) && !isLost) return;
  const { deps, note, report, dryRun } = adoption;
  report.completionsAgain += 1;
  if (dryRun) return;
  const { uuid } = stored.transaction;
  const fresh = { uuid, kind: 'COMPLETED', revision: 0, changeCount: 0 } as const;
  if (!marker) await deps.debounceRows.schedule(fresh, deps.now().getTime());
  await deps.recovery.raiseMarker(marker ?? fresh, note.floor);
};

/** Reads the time from the completing payment. An imported completion never notified anybody (EV-10). */
const isCompletedSince = (
  { transaction: { payments = [] }, elementVersions, notifyFromVersion }: StoredTransaction,
  { note, deliveryLogToMs }: Adoption,
): boolean => {
  const sinceMs = Math.max(deliveryLogToMs, note.floor - longestMs);
  const times = payments.map(({ transaction_completed_at: at }) => Date.parse(`${at}Z`));
  // The payment record has whole seconds.
  return elementVersions.payments >= notifyFromVersion && times.some((atMs) => atMs + 1000 > sinceMs);
};

/** Sends held or accepted completions again, unchanged: the partner may be resumed, or the bus may have given up. */
const scheduleAgain = async (
  completions: readonly CompletionDelivery[],
  adoption: Adoption,
): Promise<void> => {
  const { deps, dryRun, report } = adoption;
  const mayBeUndelivered = ({ state, acceptedAtMs, isUndone }: CompletionDelivery) =>
    state === 'HELD' ||
    (state === 'ACCEPTED' && !isUndone && isWithBus(acceptedAtMs, adoption.deliveryLogToMs));
  for (const completion of completions.filter(mayBeUndelivered)) {
    report.completionsAgain += 1;
    if (!dryRun) await makeDue(completion, { ...deps, clock: deps.now }, { note: 'after a restore' });
  }
};
