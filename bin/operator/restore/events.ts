import { settingsOf } from '../../../functions/shared/domain/event/timing.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { newPass } from '../../../functions/shared/events/passes.ts';
import { isPending, notifiedVersionOf } from '../../../functions/shared/events/rows.ts';
import { type Adoption, longestMs, wentBack } from './adoption.ts';

/** Schedules pending changes without the stream, and a completion that the Debounce table has lost. */
export const scheduleEvents = async (stored: StoredTransaction, adoption: Adoption): Promise<void> => {
  const { deps, summary, dryRun, report } = adoption;
  const { uuid } = stored.transaction;
  const known = summary.byUuid.get(uuid);
  if (!dryRun && isPending(notifiedVersionOf(known, stored), stored))
    await deps.debounce.recordChange({
      uuid,
      changed: [],
      dueAtMs: stored.updatedAtMs + deps.events.dormancyMs,
    });
  if (!wentBack(adoption, 'debounce') || known?.isCompleted || !isCompletedSince(stored, adoption)) return;
  report.completionsAgain += 1;
  if (dryRun) return;
  const version = stored.elementVersions.payments;
  await deps.debounce.save({
    ...{ uuid, kind: 'COMPLETED', version, dueAtMs: deps.now().getTime(), revision: 0 },
  });
};

/** A transaction is complete in the Transactions table a moment before or after the other table's restore point. */
const momentMs = 60_000;

/** Reads the time from the completing payment. An imported completion never notified anybody (EV-10). */
const isCompletedSince = (
  {
    transaction: { status, isDeleted, payments = [] },
    elementVersions,
    notifyFromVersion,
  }: StoredTransaction,
  { note, summary }: Adoption,
): boolean => {
  const sinceMs = Math.max(summary.toMs - momentMs, note.floor - longestMs);
  const times = payments.map(({ transaction_completed_at: at }) => Date.parse(`${at}Z`));
  // The payment record has whole seconds.
  return (
    status === 1 &&
    isDeleted !== 1 &&
    elementVersions.payments >= notifyFromVersion &&
    times.some((atMs) => atMs + 1000 > sinceMs)
  );
};

/** The bus tries for 24 hours, and its dead letter is collected within an hour after that. */
const busTriesMs = 25 * 60 * 60 * 1000;

/**
 * After a restore of Debounce, each partner is sent again what the bus had at that time and may have given up since, and what
 * waited for a resume that may have come since (DR-11). Passes of that time end: their work is done, or part of this.
 */
export const sendAgain = async (adoption: Adoption): Promise<void> => {
  const { deps, summary, dryRun, report } = adoption;
  if (!wentBack(adoption, 'debounce')) return;
  const { debounce, now, events } = deps;
  const nowMs = now().getTime();
  const { leaseMs } = settingsOf(events.dormancyMs);
  const partners = await deps.partners.all();
  const withWebhook = partners.filter(({ webhookUrl }) => webhookUrl !== undefined);
  report.sentAgain = withWebhook.length;
  if (dryRun) return;
  for (const pass of summary.passes) await debounce.remove(pass);
  for (const clientId of new Set([...summary.clientIds, ...partners.map((one) => one.clientId)]))
    await debounce.save(newPass({ clientId, does: 'wake' }, nowMs, { newId: () => '0', leaseMs }));
  const sinceMs = Math.max(0, summary.toMs - busTriesMs);
  for (const { clientId } of withWebhook)
    await debounce.save(newPass({ clientId, does: 'replay', sinceMs }, nowMs, { newId: () => '1', leaseMs }));
};
