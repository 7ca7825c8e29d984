import type { Status } from '../transaction/transaction.ts';
import { entriesToRead, unitsOf } from './read-units.ts';
import {
  type CountedRollup,
  type PageRequest,
  type PageSpans,
  rollupsIn,
  type Span,
  sumOf,
  totalOf,
} from './spans.ts';

/**
 * What to read for a page: `spansToDivide` names the spans for which further counters are read, `planReading` the ends
 * from which to read the entries of the remaining spans.
 */

/**
 * Up to `fewRollups` rollups, each run is read by itself. Up to `fewEntries` entries cost no more than a level of
 * counters.
 */
export type Economy = { fewRollups: number; fewEntries: number };

/** The spans for which another level of counters is worth reading before any entries. */
export const spansToDivide = (
  { spans, skip }: PageSpans,
  page: PageRequest,
  status: Status | undefined,
  { fewRollups, fewEntries }: Economy,
): Span[] => {
  const divisible = spans.filter(({ level }) => level > 1);
  // Each run costs at least a unit. A level of counters leaves out rollups that have nothing near the page.
  if (rollupsIn(spans).length > fewRollups) return divisible;
  const large = divisible.filter(({ all }) => all > fewEntries);
  // Entries that do not match are read, too, even if few are wanted.
  if (status !== undefined) return large;
  // All entries match, so the number read is that from the nearer end to the far side of the page. If that is too much,
  // only the first span is divided, because in the others the page begins at their start.
  if ('after' in page) return [];
  const { matching } = totalOf(spans);
  const fromNearerEnd = Math.min(skip + page.count, matching - skip);
  return fromNearerEnd <= fewEntries ? [] : large.filter((span) => span === spans[0]);
};

/** Sequence numbers to read from one end until `count` matching entries are found. */
export type ReadRange = {
  from: number;
  to: number;
  descending: boolean;
  count: number;
  rollups: CountedRollup[];
};

/** Ranges in order. The page begins after `skip` of their entries. */
export type ReadPlan = { ranges: ReadRange[]; skip: number };

/** The cheapest way to read the page from the spans that hold it, or the first of several equally cheap ones. */
export const planReading = (found: PageSpans, page: PageRequest, economy: Economy): ReadPlan => {
  const { spans, skip } = found;
  if (spans.length === 0) return { ranges: [], skip: 0 };
  if ('after' in page) return { ranges: [rangeBehind(spans, page)], skip: 0 };
  const { matching } = totalOf(spans);
  const fromStart = rangeOf(spans, { descending: false, count: Math.min(matching, skip + page.count) });
  const fromEnd = rangeOf(spans, { descending: true, count: matching - skip });
  const plans = [
    { ranges: [fromStart], skip },
    { ranges: [fromEnd], skip: 0 },
    ...plansOverBorder(found, page),
  ];
  return plans.reduce((best, plan) =>
    unitsOfPlan(plan, economy) < unitsOfPlan(best, economy) ? plan : best,
  );
};

/** The end of the first span, and the start of the others. */
const plansOverBorder = ({ spans, skip }: PageSpans, { count }: PageRequest): ReadPlan[] => {
  const [first, ...others] = spans;
  if (!first || others.length === 0) return [];
  const inFirst = first.matching - skip;
  const inOthers = Math.min(totalOf(others).matching, count - inFirst);
  const ranges = [
    rangeOf([first], { descending: true, count: inFirst }),
    rangeOf(others, { descending: false, count: inOthers }),
  ];
  return [{ ranges, skip: 0 }];
};

const rangeBehind = (spans: readonly Span[], { after, count }: { after: number; count: number }) => {
  const range = rangeOf(spans, { descending: false, count });
  return { ...range, from: Math.max(range.from, after + 1) };
};

const rangeOf = (spans: readonly Span[], how: Pick<ReadRange, 'descending' | 'count'>): ReadRange => ({
  from: spans[0]?.from ?? 0,
  to: spans.at(-1)?.to ?? 0,
  ...how,
  rollups: rollupsIn(spans),
});

const unitsOfPlan = ({ ranges }: ReadPlan, economy: Economy) =>
  sumOf(ranges, (range) => (isAllRunCheaper(range, economy) ? unitsOfAllRun(range) : unitsOfRuns(range)));

/** The runs of many rollups may cost more than the one run of all transactions. */
export const isAllRunCheaper = (range: ReadRange, { fewRollups }: Pick<Economy, 'fewRollups'>): boolean =>
  range.rollups.length > fewRollups && unitsOfAllRun(range) < unitsOfRuns(range);

/** The rollups' own runs, with a Query each. */
const unitsOfRuns = ({ rollups, count }: ReadRange) =>
  sumOf(rollups, (rollup) => unitsOf(entriesToRead(count, rollup), { hasOwners: false }));

const unitsOfAllRun = (range: ReadRange) => unitsOf(entriesOfAllRun(range), { hasOwners: true });

/**
 * An estimate of how many entries of the run of all transactions are read, if every sequence number of the range is
 * taken.
 */
export const entriesOfAllRun = ({ from, to, rollups, count }: ReadRange): number =>
  entriesToRead(count, { all: to - from, matching: totalOf(rollups).matching });
