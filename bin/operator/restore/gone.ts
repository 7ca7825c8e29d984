import {
  type NewTransaction,
  newTransaction,
} from '../../../functions/shared/domain/transaction/new-transaction.ts';
import {
  type StoredTransaction,
  versionedParts,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import type { Adoption } from './adoption.ts';
import type { Notified } from './notified.ts';

/**
 * Notifies partners of the deletion of transactions that the restored table has lost (DR-5). Each is created again as a
 * deleted one. The last line of the log says who owned it.
 */
export const notifyGone = async (seen: ReadonlySet<string>, adoption: Adoption): Promise<void> => {
  for (const [uuid, { last, upTo, notifiedVersion = 0 }] of adoption.summary.byUuid) {
    if (seen.has(uuid)) continue;
    if (last) {
      reportGone(uuid, adoption);
      if (!adoption.dryRun) await notifyDeleted(uuid, last, adoption);
    } else if (upTo > notifiedVersion) {
      // A sender has died with it.
      const about = `notify partners that ${uuid} is deleted: its owner is unknown`;
      adoption.report.byHand.push({ about });
    }
  }
};

/** Whether the transaction was created by `notifyGone`, in this run or in one that died (DR-9). */
export const isTombstone = ({ version, sequenceNumber }: StoredTransaction, { note }: Adoption): boolean =>
  version === note.floor && sequenceNumber > note.lastSequenceNumber;

export const reportGone = (uuid: string, { report, summary }: Adoption): void => {
  report.gone.push(uuid);
  if (summary.byUuid.get(uuid)?.isCompleted) report.completionsUndone.push(uuid);
};

type LastNotice = Required<Notified>['last'];

const notifyDeleted = async (uuid: string, last: LastNotice, { deps, note }: Adoption): Promise<void> => {
  const nowMs = deps.now().getTime();
  await deps.transactions.create(tombstoneOf(uuid, last, { floor: note.floor, now: deps.now() }));
  await deps.debounce.recordChange({ uuid, changed: [], dueAtMs: nowMs + deps.events.dormancyMs });
};

const tombstoneOf = (
  uuid: string,
  { ndMeta, status, atMs }: LastNotice,
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
    createdAtMs: atMs,
    notifyFromVersion: 1,
  };
};
