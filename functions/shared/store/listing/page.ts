import { rootLevel } from '../../domain/listing/radix.ts';
import { planReading, spansToDivide } from '../../domain/listing/read-plan.ts';
import {
  type CountedRollup,
  itemBelow,
  matchingOf,
  type PageRequest,
  type PageSpans,
  pickSpans,
  type Span,
  spansOf,
  totalOf,
} from '../../domain/listing/spans.ts';
import type { Rollup } from '../../domain/ownership/rollup.ts';
import type { ListingAccess } from './access.ts';
import { type Counter, type CounterReader, createCounterReader } from './counters.ts';
import { pageOfEnds, readFirstEnds, readLastPage } from './page-ends.ts';
import { type PageQuestion, readRange } from './page-entries.ts';

/** The transactions of a page, and the total. */
export type EntryPage = { uuids: string[]; totalCount: number };

/**
 * Reads one page of the counted radix tree (docs/listing.md). The root counters of the rollups give the total. The page
 * comes from the first or last entries of the runs if they suffice, else from where the counters find it.
 */
export const readEntryPage = async (access: ListingAccess, question: PageQuestion): Promise<EntryPage> => {
  const { rollups, status, wanted } = question;
  const readCounters = createCounterReader(access);
  const [roots, firstEnds] = await Promise.all([
    readCounters({ ...rootItem, rollups }),
    readFirstEnds(access, question),
  ]);
  const counts = rollups.map((rollup) => countOf(rollup, status, roots.get(rollup.id)));
  const { matching: totalCount } = totalOf(counts);
  if ('offset' in wanted && wanted.offset >= totalCount) return { uuids: [], totalCount };
  const entries =
    (firstEnds && pageOfEnds(firstEnds, counts, { count: wanted.count, descending: false })) ??
    (await readLastPage(access, question, counts)) ??
    (await readByCounters(access, question, { roots, readCounters }));
  return { uuids: entries.map(({ u }) => u), totalCount };
};

const rootItem = { level: rootLevel, item: 0 } as const;

const countOf = (
  { id }: Rollup,
  status: PageQuestion['status'],
  { n = 0, d = 0 }: Counter = {},
): CountedRollup => ({ id, all: n, matching: matchingOf(status, { n, d }) });

type Counters = { roots: ReadonlyMap<string, Counter>; readCounters: CounterReader };

/** Finds the spans that hold the page, and reads its entries. */
const readByCounters = async (access: ListingAccess, question: PageQuestion, counters: Counters) => {
  const { wanted } = question;
  const found = await findSpans(access, question, counters);
  const { ranges, skip } = planReading(found, wanted, access.settings);
  const entries = await Promise.all(ranges.map((range) => readRange(access, question, range)));
  return entries.flat().slice(skip, skip + wanted.count);
};

/** Goes down the levels, one wave of reads each, until reading the entries of the spans is cheaper. */
const findSpans = async (
  { settings }: ListingAccess,
  { rollups, status, wanted }: PageQuestion,
  { roots, readCounters }: Counters,
): Promise<PageSpans> => {
  const counted = { radix: settings.radix, status };
  const divide = async (span: Span) => {
    const item = itemBelow(span);
    return spansOf(await readCounters({ ...item, rollups: rollupsWithin(rollups, span) }), item, counted);
  };
  let found = pickSpans(spansOf(roots, rootItem, counted), wanted);
  for (;;) {
    const large = spansToDivide(found, wanted, status, settings);
    if (large.length === 0) return found;
    const parts = found.spans.map((span) => (large.includes(span) ? divide(span) : [span]));
    found = pickSpans((await Promise.all(parts)).flat(), withinSpans(found, wanted));
  }
};

const rollupsWithin = (rollups: readonly Rollup[], span: Span) => {
  const ids = new Set(span.rollups.map(({ id }) => id));
  return rollups.filter(({ id }) => ids.has(id));
};

/** The same page, with its offset counted from the first of the spans. */
const withinSpans = ({ skip }: PageSpans, wanted: PageRequest): PageRequest =>
  'after' in wanted ? wanted : { count: wanted.count, offset: skip };
