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
import { notifyGone } from './gone.ts';
import { notifiedByDeliveryLog } from './notified.ts';
import { endSessions, endTokens, giveBackRecords, renewPartners, repeatCommands } from './partners.ts';
import { adoptTransactions } from './transactions.ts';

/** `record` writes the audit record. */
export type AdoptionOptions = { dryRun: boolean; record: () => Promise<void> };

/**
 * Makes restored tables and those that stayed one whole again (docs/recovery.md). It is done while nothing else works on the
 * tables. Every step may be repeated: one that died is gone on with from its note, above the same version.
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
  const { byUuid: notified, newestClaimMs: deliveryLogToMs } = await notifiedByDeliveryLog(
    deps.recovery.deliveryLogRows(),
  );
  const adoption: Adoption = { deps, note, dryRun, notified, deliveryLogToMs, report };
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

/** Where a restore brings back what customers had erased; by what is as old as it was, so before anything is changed (S-61). */
const hasPersonalData: readonly RestorableTable[] = ['transactions', 'debounce', 'requests'];

const rowsShown = ({ step }: AdoptionDeps): OnScan => {
  let rowsSoFar = 0;
  return ({ rows }) => {
    rowsSoFar += rows;
    step('rows read for what was erased', rowsSoFar);
  };
};

/** What the tables hold before anything is changed. */
type Survey = {
  newestChangeMs: number;
  /** Of transactions that retention may still delete or erase. */
  oldestChangeMs: number;
  largestId: number;
  lastPosition: number;
  ids: number;
};

const survey = async ({ recovery, step, now }: AdoptionDeps): Promise<Survey> => {
  const { ids, positions } = await recovery.sequences();
  const oldestChangeMs = now().getTime();
  const found = { newestChangeMs: 0, oldestChangeMs, largestId: 0, lastPosition: positions, ids };
  let looked = 0;
  for await (const stored of recovery.transactions()) {
    // What was erased again a moment ago says nothing of when the table is of.
    if (stored.erasedAtMs === undefined) {
      found.newestChangeMs = Math.max(found.newestChangeMs, stored.updatedAtMs);
      if (stored.session !== undefined)
        found.oldestChangeMs = Math.min(found.oldestChangeMs, stored.updatedAtMs);
    }
    found.largestId = Math.max(found.largestId, ...idsOf(stored));
    found.lastPosition = Math.max(found.lastPosition, stored.position);
    looked += 1;
    step('looked at', looked);
  }
  return found;
};

const idsOf = ({ transaction: { payments = [] } }: StoredTransaction): number[] =>
  payments.flatMap(({ id, transaction_id }) => [id, transaction_id]).filter((id) => typeof id === 'number');

/**
 * The floor is the present time in milliseconds: a change takes one version and makes the time of the last change at least a
 * millisecond later, so that no version ever reaches the time at which it was given (DR-3). Of numeric ids at most one a
 * millisecond is given away, which is the throttle of a stage (DR-6).
 */
const noteOf = (
  tables: readonly RestorableTable[],
  { newestChangeMs, largestId, lastPosition, ids }: Survey,
  { now }: AdoptionDeps,
): AdoptionNote => {
  const floor = now().getTime();
  const known = Math.max(largestId, ids);
  const areIdsUnknown = tables.includes('transactions') && tables.includes('listing');
  const givenSince = areIdsUnknown ? Math.min(floor - newestChangeMs, longestMs) : 0;
  return {
    ...{ floor, tables: [...tables], restoredToMs: newestChangeMs },
    ...{ largestId: known + givenSince, lastPosition },
  };
};

/** Positions and numeric ids are never given away twice (DR-6). */
const raiseNumbers = async ({ lastPosition }: Survey, adoption: Adoption): Promise<void> => {
  const { deps, note, dryRun } = adoption;
  if (dryRun || !wentBack(adoption, 'listing')) return;
  if (note.largestId > 0) await deps.ids.atLeast(note.largestId);
  await deps.recovery.positionsAtLeast(lastPosition);
};

/** What retention had deleted or erased since may be back, and its marks are in the Listing table (V1-8). */
const applyRetentionAgain = async ({ oldestChangeMs }: Survey, adoption: Adoption): Promise<void> => {
  if (adoption.dryRun || !(wentBack(adoption, 'transactions') || wentBack(adoption, 'listing'))) return;
  await adoption.deps.recovery.retentionAgain(oldestChangeMs);
};

/** A request that is repeated must not be answered as done where what it did went back (DR-8). */
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
};

const mendListing = async (adoption: Adoption): Promise<void> => {
  const { deps, dryRun, report } = adoption;
  if (dryRun || !(wentBack(adoption, 'transactions') || wentBack(adoption, 'listing'))) return;
  const { entryDrift, counterDrift } = await deps.listing.repair(({ phase, done }) =>
    deps.step(`index: ${phase}`, done),
  );
  report.listingMended = entryDrift.length + counterDrift.length;
};
