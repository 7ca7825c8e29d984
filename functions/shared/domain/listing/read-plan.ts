import type { Status } from '../transaction/transaction.ts';
import { childStart, childWidth, type Level, levels, type Radix } from './radix.ts';

/** What a node counts somewhere: all transactions, and the complete ones. */
export type Counts = { n: number; d: number };

/** The positions below one child of a counter item, with what each node counts there. */
export type Span = {
  /** Level of the item whose child this is; a child of level 1 is a bucket. */
  level: Level;
  from: number;
  to: number;
  nodes: CountedNode[];
} & EntryCounts;

/** How many entries there are somewhere, and how many of them match the status that is asked for. */
type EntryCounts = { all: number; matching: number };
export type CountedNode = EntryCounts & { id: string };

/** A page by its number, or the records behind a position (LINK-5). */
export type PageRequest = { count: number } & ({ offset: number } | { after: number });

export type Reading = { radix: Radix; status: Status | undefined };

export const matchingOf = (status: Status | undefined, { n, d }: Counts) => {
  if (status === undefined) return n;
  return status === 1 ? d : n - d;
};

/** The non-empty children of one item of a level, in order, over all nodes. */
export const spansOf = (
  { radix, status }: Reading,
  { level, item }: { level: Level; item: number },
  counters: ReadonlyMap<string, Record<string, number>>,
): Span[] =>
  childrenOf([...counters.values()])
    .map((child) => {
      const nodes = [...counters].map(([id, counter]) => {
        const counts = { n: counter[`n${child}`] ?? 0, d: counter[`d${child}`] ?? 0 };
        return { id, all: counts.n, matching: matchingOf(status, counts) };
      });
      const from = childStart(radix, level, item, child);
      return spanOf(level, from, from + childWidth(radix, level), nodes);
    })
    .filter(({ all }) => all > 0);

/** Read from the attributes' names, because the root takes more children than a level's item when all its are full. */
const childrenOf = (counters: readonly Record<string, number>[]) =>
  [...new Set(counters.flatMap((counter) => Object.keys(counter)))]
    .filter((name) => /^n\d+$/.test(name))
    .map((name) => Number(name.slice(1)))
    .sort((a, b) => a - b);

const spanOf = (level: Level, from: number, to: number, nodes: Span['nodes']): Span => ({
  level,
  from,
  to,
  nodes: nodes.filter(({ all }) => all > 0),
  all: sumOf(nodes, ({ all }) => all),
  matching: sumOf(nodes, ({ matching }) => matching),
});

export type Picked = { spans: Span[]; skip: number };

/** The neighbouring spans that hold the wanted records, and how many matching ones to skip in the first of them. */
export const pickSpans = (spans: readonly Span[], wanted: PageRequest): Picked =>
  'after' in wanted ? pickAfter(spans, wanted) : pickOffset(spans, wanted);

const pickOffset = (spans: readonly Span[], { offset, count }: { offset: number; count: number }) => {
  const picked: Span[] = [];
  let before = 0;
  let skip = 0;
  for (const span of spans) {
    const isWanted = before + span.matching > offset && before < offset + count;
    if (isWanted && picked.length === 0) skip = offset - before;
    if (isWanted) picked.push(span);
    before += span.matching;
  }
  return { spans: picked, skip };
};

/** How much of the span around the position lies behind it is unknown, so that span counts for nothing. */
const pickAfter = (spans: readonly Span[], { after, count }: { after: number; count: number }) => {
  const picked: Span[] = [];
  let certain = 0;
  for (const span of spans.filter(({ to }) => to > after + 1)) {
    if (certain >= count) break;
    picked.push(span);
    if (span.from > after) certain += span.matching;
  }
  return { spans: picked, skip: 0 };
};

export type Economy = { fewNodes: number; fewEntries: number };

/** The picked spans for which another level of counters is worth reading before any entries are. */
export const spansToDescend = (
  { spans, skip }: Picked,
  wanted: PageRequest,
  { status }: Reading,
  { fewNodes, fewEntries }: Economy,
): Span[] => {
  const isFew = nodeIdsOf(spans).length <= fewNodes;
  // A few entries of few runs are read at once; many runs cost a unit each, so that a narrower range is worth a level.
  const large = spans.filter(({ level, all }) => level > 1 && (all > fewEntries || !isFew));
  // Without a status filter a Limit bounds what is read, so only the span with the offset has to be searched.
  if (!isFew || status !== undefined) return large;
  const matching = sumOf(spans, (span) => span.matching);
  if ('after' in wanted || Math.min(skip + wanted.count, matching - skip) <= fewEntries) return [];
  return large.filter((span) => span === spans[0]);
};

/** The item one level down that counts a span's children. */
export const itemBelow = (radix: Radix, { level, from, to }: Span) => {
  const below = levels[levels.indexOf(level) + 1] ?? 1;
  return { level: below, item: from / (to - from), width: childWidth(radix, below) };
};

/** A range of positions to read from one end until enough matching entries are found. */
export type ReadRange = {
  from: number;
  to: number;
  descending: boolean;
  matching: number;
  nodes: Span['nodes'];
};

/** Ranges in order; the page begins after `skip` of the entries that they give. */
export type ReadPlan = { ranges: ReadRange[]; skip: number };

/** The cheapest of: all from the start, all from the end, or the first span's end and the others' start. */
export const planReading = ({ spans, skip }: Picked, wanted: PageRequest, economy: Economy): ReadPlan => {
  const [first, ...others] = spans;
  if (!first) return { ranges: [], skip: 0 };
  if ('after' in wanted) return { ranges: [forwardAfter(spans, wanted)], skip: 0 };
  const matching = sumOf(spans, (span) => span.matching);
  const inFirst = first.matching - skip;
  const plans: ReadPlan[] = [
    { ranges: [rangeOf(spans, false, Math.min(matching, skip + wanted.count))], skip },
    { ranges: [rangeOf(spans, true, matching - skip)], skip: 0 },
  ];
  if (others.length > 0) {
    const rest = Math.min(matching - first.matching, wanted.count - inFirst);
    plans.push({
      ranges: [rangeOf([first], true, inFirst), rangeOf(others, false, rest)],
      skip: 0,
    });
  }
  return plans.reduce((best, plan) =>
    unitsOfPlan(plan, economy) < unitsOfPlan(best, economy) ? plan : best,
  );
};

const forwardAfter = (spans: readonly Span[], { after, count }: { after: number; count: number }) => {
  const range = rangeOf(spans, false, count);
  return { ...range, from: Math.max(range.from, after + 1) };
};

const rangeOf = (spans: readonly Span[], descending: boolean, matching: number): ReadRange => ({
  from: spans[0]?.from ?? 0,
  to: spans.at(-1)?.to ?? 0,
  descending,
  matching,
  nodes: nodeIdsOf(spans).map((id) => {
    const parts = spans.flatMap(({ nodes }) => nodes.filter((node) => node.id === id));
    return { id, all: sumOf(parts, ({ all }) => all), matching: sumOf(parts, (part) => part.matching) };
  }),
});

const nodeIdsOf = (spans: readonly Span[]) => [
  ...new Set(spans.flatMap(({ nodes }) => nodes.map(({ id }) => id))),
];

const bytesPerUnit = 4096;
const bytesPerEntry = 72;
const bytesPerOwnedEntry = 192;

/** About how many entries of a node are read until its share of the wanted ones is surely found. */
export const entriesToRead = (wanted: number, { all, matching }: EntryCounts) =>
  matching === 0 ? 0 : Math.min(all, Math.ceil((Math.min(wanted, matching) * all) / matching));

/** So many entries of a run cost one read unit: 56, or 21 where they have their owner. */
export const entriesPerUnit = ({ hasOwners }: { hasOwners: boolean }): number =>
  Math.floor(bytesPerUnit / (hasOwners ? bytesPerOwnedEntry : bytesPerEntry));

/** As many entries as cost the same as these: none is half of a read unit. */
export const inWholeUnits = (entries: number, of: { hasOwners: boolean }): number => {
  const perUnit = entriesPerUnit(of);
  return Math.ceil(entries / perUnit) * perUnit;
};

/**
 * How many further entries hold those of the wanted ones that are still missing, by the share of what was looked at; at
 * most three times as many as that, which may have been too few to tell.
 */
export const entriesToReadNext = (
  wanted: number,
  { found, looked, hasOwners }: { found: number; looked: number; hasOwners: boolean },
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
  nodes: readonly EntryCounts[],
  { status, unitEntries }: { status: Status | undefined; unitEntries: number },
): number[] | undefined => {
  const matching = sumOf(nodes, (node) => node.matching);
  if (status === undefined) return nodes.map(() => count);
  const units = nodes.map(({ all }) => Math.ceil((1.5 * count * all) / matching / unitEntries));
  return units.some((each) => each > 2) ? undefined : units.map((each) => each * unitEntries);
};

/** Read units of the nodes' own runs: a Query each. */
const unitsOfRuns = ({ nodes, matching }: ReadRange) =>
  sumOf(nodes, (node) => Math.ceil((entriesToRead(matching, node) * bytesPerEntry) / bytesPerUnit));

/** About how many entries of the run of all transactions are read, if every position of the range were taken. */
export const entriesOfAllRun = ({ from, to, nodes, matching }: ReadRange) =>
  entriesToRead(matching, { all: to - from, matching: sumOf(nodes, (node) => node.matching) });

const unitsOfAllRun = (range: ReadRange) =>
  Math.ceil((entriesOfAllRun(range) * bytesPerOwnedEntry) / bytesPerUnit);

/** Many nodes' runs may cost more than the one run of all transactions. */
export const isAllRunCheaper = (range: ReadRange, { fewNodes }: Economy) =>
  range.nodes.length > fewNodes && unitsOfAllRun(range) < unitsOfRuns(range);

const unitsOfPlan = ({ ranges }: ReadPlan, economy: Economy) =>
  sumOf(ranges, (range) => (isAllRunCheaper(range, economy) ? unitsOfAllRun(range) : unitsOfRuns(range)));

export const sumOf = <Value>(values: readonly Value[], amount: (value: Value) => number) =>
  values.reduce((sum, value) => sum + amount(value), 0);
