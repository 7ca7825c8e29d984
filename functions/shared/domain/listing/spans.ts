import type { Status } from '../transaction/transaction.ts';
import { childStart, childWidth, type Level, levels, type Radix } from './radix.ts';

/**
 * Where a page lies, by the counters alone: `spansOf` makes spans from them, `pickSpans` picks those that hold the
 * page, and `itemBelow` names the counters that divide a span further.
 */

/** A counter's values for a rollup: the number of transactions, and of complete ones. */
export type Counts = { n: number; d: number };

/** The number of entries somewhere, and of those that match the requested status. */
export type EntryCounts = { all: number; matching: number };
export type CountedRollup = EntryCounts & { id: string };

/**
 * The sequence numbers from `from` to `to` (exclusive), and the counts of the rollups there. Rollups without entries
 * are left out.
 */
export type Span = EntryCounts & {
  /** Level of the counter item that has this child. A child of level 1 is a bucket, which no counter divides. */
  level: Level;
  from: number;
  to: number;
  rollups: CountedRollup[];
};

/** A page by the number of matching entries before it, or by the sequence number after which it begins (LINK-5). */
export type PageRequest = { count: number } & ({ offset: number } | { after: number });

/** Neighbouring spans that hold a page, which begins after `skip` of the matching entries of the first span. */
export type PageSpans = { spans: Span[]; skip: number };

/** How many of the counted transactions match. */
export const matchingOf = (status: Status | undefined, { n, d }: Counts): number => {
  if (status === undefined) return n;
  return status === 1 ? d : n - d;
};

/** The non-empty children of one counter item, in order. `counters` are that item of each rollup, by its id. */
export const spansOf = (
  counters: ReadonlyMap<string, Record<string, number>>,
  { level, item }: { level: Level; item: number },
  { radix, status }: { radix: Radix; status: Status | undefined },
): Span[] =>
  childrenOf([...counters.values()])
    .map((child) => {
      const from = childStart(radix, level, item, child);
      const rollups = [...counters].map(([id, counter]) => ({
        id,
        ...countsOfChild(counter, child, status),
      }));
      return {
        ...{ level, from, to: from + childWidth(radix, level) },
        ...totalOf(rollups),
        rollups: rollups.filter(({ all }) => all > 0),
      };
    })
    .filter(({ all }) => all > 0);

/** Read from the attributes' names, because the root has more children than the items of other levels. */
const childrenOf = (counters: readonly Record<string, number>[]) =>
  [...new Set(counters.flatMap((counter) => Object.keys(counter)))]
    .filter((name) => /^n\d+$/.test(name))
    .map((name) => Number(name.slice(1)))
    .sort((a, b) => a - b);

const countsOfChild = (counter: Record<string, number>, child: number, status: Status | undefined) => {
  const counts = { n: counter[`n${child}`] ?? 0, d: counter[`d${child}`] ?? 0 };
  return { all: counts.n, matching: matchingOf(status, counts) };
};

/** The sum of several rollups or spans. */
export const totalOf = (parts: readonly EntryCounts[]): EntryCounts => ({
  all: sumOf(parts, ({ all }) => all),
  matching: sumOf(parts, ({ matching }) => matching),
});

export const sumOf = <Value>(values: readonly Value[], amount: (value: Value) => number): number =>
  values.reduce((sum, value) => sum + amount(value), 0);

/** The neighbouring spans that hold the page. */
export const pickSpans = (spans: readonly Span[], page: PageRequest): PageSpans =>
  'after' in page ? pickAfter(spans, page) : pickOffset(spans, page);

const pickOffset = (spans: readonly Span[], { offset, count }: { offset: number; count: number }) => {
  const picked: Span[] = [];
  let before = 0;
  let skip = 0;
  for (const span of spans) {
    const hasPart = before + span.matching > offset && before < offset + count;
    if (hasPart && picked.length === 0) skip = offset - before;
    if (hasPart) picked.push(span);
    before += span.matching;
  }
  return { spans: picked, skip };
};

/**
 * The span that holds the sequence number is picked but not counted, because the counters do not say how much of it
 * lies after the number.
 */
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

/** The counter item that counts a span's children. Spans are numbered through a level, as are the items below them. */
export const itemBelow = ({ level, from, to }: Span): { level: Level; item: number } => ({
  level: levels[levels.indexOf(level) + 1] ?? 1,
  item: from / (to - from),
});

/** The rollups that have entries in some of the spans, each with its total there. */
export const rollupsIn = (spans: readonly Span[]): CountedRollup[] => {
  const parts = Map.groupBy(
    spans.flatMap(({ rollups }) => rollups),
    ({ id }) => id,
  );
  return [...parts].map(([id, counts]) => ({ id, ...totalOf(counts) }));
};
