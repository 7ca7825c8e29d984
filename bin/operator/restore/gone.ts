import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';
import {
  type NewTransaction,
  newTransaction,
} from '../../../functions/shared/domain/transaction/new-transaction.ts';
import { versionedParts } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { Adoption } from './adoption.ts';
import { isCompleted } from './told.ts';

/**
 * Transactions that partners were told of, and that the restored table does not have (DR-5). Each comes back as a deleted one, so
 * that it is told as deleted; the ledger's last message says whose it was.
 */
export const tellGone = async (seen: ReadonlySet<string>, adoption: Adoption): Promise<void> => {
  const { told, report, deps, note, dryRun } = adoption;
  for (const [uuid, known] of told) {
    if (seen.has(uuid) || known.upTo === 0) continue;
    const last = await lastMessage(uuid, adoption);
    if (!last) continue;
    report.gone.push(uuid);
    if (isCompleted(known)) report.completionsUndone.push(uuid);
    if (dryRun) continue;
    const nowMs = deps.now().getTime();
    await deps.transactions.create(remainsOf(uuid, last, { floor: note.floor, now: deps.now() }));
    const dueAtMs = nowMs + deps.events.dormancyMs;
    await deps.cursors.recordChange({ uuid, changed: [], changedAtMs: nowMs, dueAtMs });
  }
};

type LastMessage = { ndMeta: NdMeta; status: 0 | 1; changedAtMs: number };

/** Undefined where nobody was told anything: then nobody misses it. */
const lastMessage = async (
  uuid: string,
  { deps: { ledger } }: Adoption,
): Promise<LastMessage | undefined> => {
  for await (const { eventId, changedAtMs } of ledger.eventsOfTransaction(uuid)) {
    const bodies = (await ledger.event(eventId))?.bodies;
    if (bodies) return { ...JSON.parse(bodies.plain).detail, changedAtMs };
  }
  return undefined;
};

const remainsOf = (
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
    silentUpToVersion: 0,
  };
};
