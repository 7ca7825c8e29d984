import { rootLevel } from '../../domain/listing/radix.ts';
import {
  type CountedNode,
  itemBelow,
  matchingOf,
  type PageRequest,
  type Picked,
  pickSpans,
  planReading,
  type Span,
  spansOf,
  spansToDescend,
  sumOf,
} from '../../domain/listing/read-plan.ts';
import type { OwnershipNode } from '../../domain/ownership/node.ts';
import type { ListingAccess } from './access.ts';
import { type Counter, type CounterReader, createCounterReader } from './counters.ts';
import type { CounterItem } from './keys.ts';
import { pageOfEnds, readFirstEnds, readLastPage } from './page-ends.ts';
import { type PageQuestion, readRange } from './page-entries.ts';
import type { ListingSettings } from './settings.ts';

/** Which transactions stand on a page, and how many there are in all. */
export type EntryPage = { uuids: string[]; totalCount: number };

/**
 * Reads one page of the counted radix tree (docs/listing.md). The roots give the total. The page comes from the nearer end
 * of the index runs where that is enough, else from a walk down the counters to the entries.
 */
export const readEntryPage = async (access: ListingAccess, question: PageQuestion): Promise<EntryPage> => {
  const { nodes, status, wanted } = question;
  const readCounters = createCounterReader(access);
  const [[roots = new Map<string, Counter>()], firstEnds] = await Promise.all([
    readCounters([{ ...rootItem, nodes }]),
    readFirstEnds(access, question),
  ]);
  const counts = nodes.map((node) => countOf(node, status, roots.get(node.id)));
  const totalCount = sumOf(counts, ({ matching }) => matching);
  if ('offset' in wanted && wanted.offset >= totalCount) return { uuids: [], totalCount };
  const entries =
    (firstEnds && pageOfEnds(firstEnds, counts, { count: wanted.count, descending: false })) ??
    (await readLastPage(access, question, counts)) ??
    (await readByCounters(access, question, { roots, readCounters }));
  return { uuids: entries.map(({ u }) => u), totalCount };
};

const rootItem: CounterItem = { level: rootLevel, item: 0 };

const countOf = (
  { id }: OwnershipNode,
  status: PageQuestion['status'],
  { n = 0, d = 0 }: Counter = {},
): CountedNode => ({ id, all: n, matching: matchingOf(status, { n, d }) });

type Counters = { roots: ReadonlyMap<string, Counter>; readCounters: CounterReader };

/** Walks down the counters to the spans that hold the page, and reads their entries. */
const readByCounters = async (
  access: ListingAccess,
  question: PageQuestion,
  { roots, readCounters }: Counters,
) => {
  const { settings } = access;
  const { status, wanted } = question;
  const rootSpans = spansOf({ radix: settings.radix, status }, rootItem, roots);
  const picked = await walk(settings, question, readCounters, pickSpans(rootSpans, wanted));
  const { ranges, skip } = planReading(picked, wanted, settings);
  const found = await Promise.all(ranges.map((range) => readRange(access, question, range)));
  return found.flat().slice(skip, skip + wanted.count);
};

/** Goes down the levels, one wave each, until the picked spans can be read. */
const walk = async (
  settings: ListingSettings,
  { nodes, status, wanted }: Omit<PageQuestion, 'grants'>,
  readCounters: CounterReader,
  picked: Picked,
): Promise<Picked> => {
  const reading = { radix: settings.radix, status };
  const descents = spansToDescend(picked, wanted, reading, settings);
  if (descents.length === 0) return picked;
  const questions = descents.map((span) => ({
    ...itemBelow(settings.radix, span),
    nodes: activeNodes(nodes, span),
  }));
  const answers = await readCounters(questions);
  const opened = picked.spans.map((span) => {
    const index = descents.indexOf(span);
    const [question, answer] = [questions[index], answers[index]];
    return question && answer ? spansOf(reading, question, answer) : [span];
  });
  const next = pickSpans(opened.flat(), relativeTo(picked, wanted));
  return walk(settings, { nodes, status, wanted }, readCounters, next);
};

/** Offsets below picked spans count from the first of them. */
const relativeTo = ({ skip }: Picked, wanted: PageRequest): PageRequest =>
  'after' in wanted ? wanted : { count: wanted.count, offset: skip };

const activeNodes = (nodes: readonly OwnershipNode[], span: Span) => {
  const ids = new Set(span.nodes.map(({ id }) => id));
  return nodes.filter(({ id }) => ids.has(id));
};
