import type { Status } from '../transaction/transaction.ts';
import { type EntryCounts, totalOf } from './spans.ts';

/*
 * How many entries a request is to ask for. DynamoDB counts a Query in read units of 4 kB, and reads entries in order until
 * it has as many as are asked for, whether they match or not.
 */

/** Entries of the runs of all transactions and of values have their owner, which those of rollups and sessions need not. */
type EntryForm = { hasOwners: boolean };

const bytesPerUnit = 4096;
const bytesOfEntry = ({ hasOwners }: EntryForm) => (hasOwners ? 192 : 72);

/** About how many units it takes to read so many entries of a run. */
export const unitsOf = (entries: number, form: EntryForm): number =>
  Math.ceil((entries * bytesOfEntry(form)) / bytesPerUnit);

/** So many entries of a run cost one read unit: 56, or 21 where they have their owner. */
export const entriesPerUnit = (form: EntryForm): number => Math.floor(bytesPerUnit / bytesOfEntry(form));

/** As many entries as cost the same as these: none is half of a read unit. */
export const inWholeUnits = (entries: number, form: EntryForm): number => {
  const perUnit = entriesPerUnit(form);
  return Math.ceil(entries / perUnit) * perUnit;
};

/** About how many entries are read until `wanted` matching ones are found, or all that there are, if they lie evenly. */
export const entriesToRead = (wanted: number, { all, matching }: EntryCounts): number =>
  matching === 0 ? 0 : Math.min(all, Math.ceil((Math.min(wanted, matching) * all) / matching));

/**
 * How many further entries hold those of the wanted ones that are still missing, by the share of what was looked at; at
 * most three times as many as that, which may have been too few to tell.
 */
export const entriesToReadNext = (
  wanted: number,
  { found, looked, hasOwners }: { found: number; looked: number } & EntryForm,
): number => {
  const byShare = found === 0 ? Number.POSITIVE_INFINITY : ((wanted - found) * looked) / found;
  return inWholeUnits(Math.min(byShare, 3 * looked), { hasOwners });
};

/**
 * How many of each run's last entries hold the last `count` matching ones, most likely: half as many again as their share
 * says, in whole read units. Undefined where that is more than two units, which is what a walk would cost.
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
