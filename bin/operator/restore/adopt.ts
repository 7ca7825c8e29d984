import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { applyErasures } from '../customers/erase.ts';
import type { OnScan } from '../store/personal-data/personal-data-store.ts';
import type { AdoptionNote } from '../store/recovery/recovery-store.ts';
import {
  type Adoption,
  type AdoptionDeps,
  type AdoptionReport,
  emptyReport,
  longestMs,
  type RestorableTable,
  wentBack,
} from './adoption.ts';
import { sendAgain } from './events.ts';
import { notifyGone } from './gone.ts';
import { summaryOf } from './notified.ts';
import { endSessions, endTokens, giveBackRecords, renewPartners, repeatCommands } from './partners.ts';
import { adoptTransactions } from './transactions.ts';

/** `record` writes the audit record. */
export type AdoptionOptions = { dryRun: boolean; record: () => Promise<void> };

/**
 * Makes restored tables consistent with the others (docs/recovery.md), while nothing else writes to them. Every step may be
 * repeated: an adoption that died continues with its stored note, and so above the same version.
 */
export const adopt = async (
  tables: readonly RestorableTable[],
  deps: AdoptionDeps,
  { dryRun, record }: AdoptionOptions,
): Promise<AdoptionReport> => {
  const report = emptyReport(tables);
  if (!dryRun) await record();
  if (tables.some((table) => hasPersonalData.includes(table)))
    report.erasedAgain = await applyErasures(deps, rowsShown(deps), { dryRun });
  const seen = await survey(deps);
  const planned = noteOf(tables, seen, deps);
  const note = dryRun ? planned : await deps.recovery.begin(planned);
  const summary = await summaryOf(deps.recovery.debounceItems());
  const adoption: Adoption = { deps, note, dryRun, summary, report };
  await repeatCommands(adoption);
  await renewPartners(adoption);
  await endTokens(adoption);
  await endSessions(adoption);
  await raiseNumbers(seen, adoption);
  await applyRetentionAgain(seen, adoption);
  await forgetRecords(adoption);
  await notifyGoneAndChanged(adoption);
  await mendListing(adoption);
  await giveBackRecords(adoption);
  if (!dryRun) await deps.recovery.end();
  return adoption.report;
};

/** Tables that bring erased data back. It must be erased before a step gives transactions a newer time (S-61). */
const hasPersonalData: readonly RestorableTable[] = ['transactions', 'requests'];

const rowsShown = ({ step }: AdoptionDeps): OnScan => {
  let rowsSoFar = 0;
  return ({ rows }) => {
    rowsSoFar += rows;
    step('rows read for what was erased', rowsSoFar);
  };
};

/** The newest and oldest values in the tables before any change. */
type Survey = {
  newestChangeMs: number;
  /** The oldest change of a transaction that retention may delete or erase. */
  oldestChangeMs: number;
  largestId: number;
  lastSequenceNumber: number;
  ids: number;
};

const survey = async ({ recovery, step, now }: AdoptionDeps): Promise<Survey> => {
  const { ids, sequenceNumbers } = await recovery.sequences();
  const oldestChangeMs = now().getTime();
  const found = { newestChangeMs: 0, oldestChangeMs, largestId: 0, lastSequenceNumber: sequenceNumbers, ids };
  let read = 0;
  for await (const stored of recovery.transactions()) {
    // Transactions that were just erased again do not tell the time of the restored table.
    if (stored.erasedAtMs === undefined) {
      found.newestChangeMs = Math.max(found.newestChangeMs, stored.updatedAtMs);
      if (stored.session !== undefined)
        found.oldestChangeMs = Math.min(found.oldestChangeMs, stored.updatedAtMs);
    }
    found.largestId = Math.max(found.largestId, ...idsOf(stored));
    found.lastSequenceNumber = Math.max(found.lastSequenceNumber, stored.sequenceNumber);
    read += 1;
    step('looked at', read);
  }
  return found;
};

const idsOf = ({ transaction: { payments = [] } }: StoredTransaction): number[] =>
  payments.flatMap(({ id, transaction_id }) => [id, transaction_id]).filter((id) => typeof id === 'number');

/**
 * The floor of versions is the present time in milliseconds. A change takes one version and moves the time of the last change
 * by at least a millisecond, so no version ever reaches its own time (DR-3). Numeric ids grow by at most one a millisecond,
 * the throttle of a stage (DR-6).
 */
const noteOf = (
  tables: readonly RestorableTable[],
  { newestChangeMs, largestId, lastSequenceNumber, ids }: Survey,
  { now }: AdoptionDeps,
): AdoptionNote => {
  const floor = now().getTime();
  const known = Math.max(largestId, ids);
  const areIdsUnknown = tables.includes('transactions') && tables.includes('listing');
  const givenSince = areIdsUnknown ? Math.min(floor - newestChangeMs, longestMs) : 0;
  return {
    ...{ floor, tables: [...tables], restoredToMs: newestChangeMs },
    ...{ largestId: known + givenSince, lastSequenceNumber },
  };
};

/** Sequence numbers and numeric ids are never given twice (DR-6). */
const raiseNumbers = async ({ lastSequenceNumber }: Survey, adoption: Adoption): Promise<void> => {
  const { deps, note, dryRun } = adoption;
  if (dryRun || !wentBack(adoption, 'listing')) return;
  if (note.largestId > 0) await deps.ids.atLeast(note.largestId);
  await deps.recovery.sequenceNumbersAtLeast(lastSequenceNumber);
};

/** Restored tables may hold transactions that retention had removed. Its watermarks are in the Listing table (V1-8). */
const applyRetentionAgain = async ({ oldestChangeMs }: Survey, adoption: Adoption): Promise<void> => {
  if (adoption.dryRun || !(wentBack(adoption, 'transactions') || wentBack(adoption, 'listing'))) return;
  await adoption.deps.recovery.retentionAgain(oldestChangeMs);
};

/** A repeated request must not be answered from a record when the restore has undone its write (DR-8). */
const forgetRecords = async (adoption: Adoption): Promise<void> => {
  const { deps, note, dryRun, report } = adoption;
  if (!wentBack(adoption, 'transactions')) return;
  for await (const id of deps.recovery.recordsMadeAfter(note.restoredToMs)) {
    if (!dryRun) await deps.recovery.forgetRecord(id);
    report.recordsForgotten += 1;
  }
};

const notifyGoneAndChanged = async (adoption: Adoption): Promise<void> => {
  if (!wentBack(adoption, 'transactions') && !wentBack(adoption, 'debounce')) return;
  const seen = await adoptTransactions(adoption);
  if (wentBack(adoption, 'transactions')) await notifyGone(seen, adoption);
  await sendAgain(adoption);
};

const mendListing = async (adoption: Adoption): Promise<void> => {
  const { deps, dryRun, report } = adoption;
  if (dryRun || !(wentBack(adoption, 'transactions') || wentBack(adoption, 'listing'))) return;
  const { entryDrift, counterDrift } = await deps.listing.repair(({ phase, done }) =>
    deps.step(`index: ${phase}`, done),
  );
  report.listingMended = entryDrift.length + counterDrift.length;
};
