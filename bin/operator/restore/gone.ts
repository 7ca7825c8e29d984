import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';
import {
  type NewTransaction,
  newTransaction,
} from '../../../functions/shared/domain/transaction/new-transaction.ts';
import {
  type StoredTransaction,
  versionedParts,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import type { Adoption } from './adoption.ts';
import { isCompleted } from './notified.ts';
import { sendUndeliveredAgain } from './send-again.ts';

/**
 * Notifies partners of the deletion of transactions that the restored table has lost (DR-5). Each is created again as a
 * deleted one. The last message in the delivery log says who owned it.
 */
export const notifyGone = async (seen: ReadonlySet<string>, adoption: Adoption): Promise<void> => {
  for (const [uuid, known] of adoption.notified) {
    if (seen.has(uuid) || known.upTo === 0) continue;
    const last = await lastMessage(uuid, adoption);
    if (last === 'nobody-notified') continue;
    if (last === 'not-kept') {
      const about = `notify partners that ${uuid} is deleted: its owner is unknown`;
      adoption.report.byHand.push({ about });
      continue;
    }
    reportGone(uuid, adoption);
    if (adoption.dryRun) continue;
    await notifyDeleted(uuid, last, adoption);
    await sendUndeliveredAgain(uuid, known, adoption);
  }
};

/** Whether the transaction was created by `notifyGone`, in this run or in one that died (DR-9). */
export const isTombstone = ({ version, sequenceNumber }: StoredTransaction, { note }: Adoption): boolean =>
  version === note.floor && sequenceNumber > note.lastSequenceNumber;

export const reportGone = (uuid: string, { report, notified }: Adoption): void => {
  report.gone.push(uuid);
  if (isCompleted(notified.get(uuid))) report.completionsUndone.push(uuid);
};

const notifyDeleted = async (uuid: string, last: LastMessage, { deps, note }: Adoption): Promise<void> => {
  const nowMs = deps.now().getTime();
  await deps.transactions.create(tombstoneOf(uuid, last, { floor: note.floor, now: deps.now() }));
  const dueAtMs = nowMs + deps.events.dormancyMs;
  await deps.debounceRows.recordChange({ uuid, changed: [], dueAtMs });
};

type LastMessage = { ndMeta: NdMeta; status: 0 | 1; changedAtMs: number };

/** The newest message that is kept; an erasure may have removed the bodies before the deletion was sent. */
const lastMessage = async (
  uuid: string,
  { deps: { deliveryLog } }: Adoption,
): Promise<LastMessage | 'nobody-notified' | 'not-kept'> => {
  let isNotified = false;
  for await (const { eventId, changedAtMs, recipients } of deliveryLog.eventsOfTransaction(uuid)) {
    const bodies = (await deliveryLog.event(eventId))?.bodies;
    if (bodies) return { ...JSON.parse(bodies.plain).detail, changedAtMs };
    isNotified ||= recipients.length > 0;
  }
  return isNotified ? 'not-kept' : 'nobody-notified';
};

const tombstoneOf = (
  uuid: string,
  { ndMeta, status, changedAtMs }: LastMessage,
  { floor, now }: { floor: number; now: Date },
): NewTransaction => {
  const { session: _, ...untouched } = newTransaction({ uuid, owner: ndMeta, session: '', now });
  return {
    ...untouched,
    transaction: { ...untouched.transaction, status, isDeleted: 1 },
    version: floor,
    elementVersions: Object.fromEntries(
      versionedParts.map((part) => [part, floor]),
    ) as NewTransaction['elementVersions'],
    createdAtMs: changedAtMs,
    notifyFromVersion: 1,
  };
};
