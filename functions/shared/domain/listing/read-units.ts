import type { Status } from '../transaction/transaction.ts';
import { type EntryCounts, totalOf } from './spans.ts';

/**
 * How many entries to request. DynamoDB bills a Query in read units of 4 kB, and reads entries in order until it has
 * the requested number, whether they match or not.
 */

/**
 * Entries of the run of all transactions and of value runs have their owner. Those of rollups and sessions do not need
 * it.
 */
type EntryForm = { hasOwners: boolean };

const bytesPerUnit = 4096;
const bytesOfEntry = ({ hasOwners }: EntryForm) => (hasOwners ? 192 : 72);

/** An estimate of the read units for this many entries of a run. */
export const unitsOf = (entries: number, form: EntryForm): number =>
  Math.ceil((entries * bytesOfEntry(form)) / bytesPerUnit);

/** How many entries of a run cost one read unit: 56, or 21 if they have their owner. */
export const entriesPerUnit = (form: EntryForm): number => Math.floor(bytesPerUnit / bytesOfEntry(form));

/** The number of entries that costs the same as these, because half a read unit costs a whole one. */
export const inWholeUnits = (entries: number, form: EntryForm): number => {
  const perUnit = entriesPerUnit(form);
  return Math.ceil(entries / perUnit) * perUnit;
};

/**
 * An estimate of how many entries are read until `wanted` matching ones are found, or all entries, if they are evenly
 * distributed.
 */
export const entriesToRead = (wanted: number, { all, matching }: EntryCounts): number =>
  matching === 0 ? 0 : Math.min(all, Math.ceil((Math.min(wanted, matching) * all) / matching));

/**
 * How many further entries are likely to hold the missing ones, by the share of matches so far. At most three times the
 * number read, which may be too few for an estimate.
 */
export const entriesToReadNext = (
  wanted: number,
  { found, looked, hasOwners }: { found: number; looked: number } & EntryForm,
): number => {
  const byShare = found === 0 ? Number.POSITIVE_INFINITY : ((wanted - found) * looked) / found;
  return inWholeUnits(Math.min(byShare, 3 * looked), { hasOwners });
};

/**
 * How many of each run's last entries are likely to hold the last `count` matching ones: half as many again as their
 * share says, in whole read units. Undefined above two units, which is what a walk would cost.
 */
export const lastEntriesToRead = (
  count: number,
  rollups: readonly EntryCounts[],
  { status, unitEntries }: { status: Status | undefined; unitEntries: number },
): number[] | undefined => {
  if (status === undefined) return rollups.map(() => count);
  const { matching } = totalOf(rollups);
  const units = rollups.map(({ all }) => Math.ceil((1.5 * count * all) / matching / unitEntries));
  return units.some((each) => each > 2) ? undefined : units.map((each) => each * unitEntries);
};
