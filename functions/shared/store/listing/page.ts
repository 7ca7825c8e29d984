import { isDeepStrictEqual } from 'node:util';
import { rootLevel } from '../../domain/listing/radix.ts';
import {
  type CountedNode,
  childAround,
  isAmid,
  itemBelow,
  matchingOf,
  type PageRequest,
  type Picked,
  pickSpans,
  planReading,
  type ReadRange,
  type Span,
  spansOf,
  spansToDescend,
  sumOf,
} from '../../domain/listing/read-plan.ts';
import type { OwnershipNode } from '../../domain/ownership/node.ts';
import type { ListHints, ListingAccess } from './access.ts';
import { type Counter, type CounterReader, createCounterReader } from './counters.ts';
import type { CounterItem } from './keys.ts';
import { pageOfEnds, readFirstEnds, readLastPage } from './page-ends.ts';
import { type PageQuestion, readRange } from './page-entries.ts';
import type { PageEntry } from './runs.ts';
import type { ListingSettings } from './settings.ts';

/** Which transactions stand on a page, and how many there are in all. */
export type EntryPage = { uuids: string[]; totalCount: number };

/**
 * One page of the counted radix tree: the total from the roots, then the page from the runs' nearer end where that is
 * enough, else a walk down the counters to the entries.
 */
export const readEntryPage = async (access: ListingAccess, question: PageQuestion): Promise<EntryPage> => {
  const { wanted } = question;
  const [known, firstEnds, seen] = await Promise.all([
    readRoots(access, question),
    readFirstEnds(access, question),
    readWhereItLay(access, question),
  ]);
  const counts = countsOf(question, known.roots);
  const totalCount = sumOf(counts, ({ matching }) => matching);
  rememberList(access, question, { totalCount });
  if ('offset' in wanted && wanted.offset >= totalCount) return { uuids: [], totalCount };
  const entries =
    (firstEnds && pageOfEnds(firstEnds, counts, { count: wanted.count, descending: false })) ??
    (await readLastPage(access, question, counts)) ??
    (await readByCounters(access, question, { ...known, seen }));
  return { uuids: entries.map(({ u }) => u), totalCount };
};

/** What the roots count, node by node. */
const countsOf = ({ nodes, status }: PageQuestion, roots: ReadonlyMap<string, Counter>): CountedNode[] =>
  nodes.map(({ id }) => {
    const { n = 0, d = 0 } = roots.get(id) ?? {};
    return { id, all: n, matching: matchingOf(status, { n, d }) };
  });

/** The counters of the nodes' roots, and those further down that were read beside them. */
type KnownCounters = {
  roots: Map<string, Counter>;
  ahead: (CounterItem & { counters: Map<string, Counter> })[];
};

/** What was read of each range. */
type SeenRanges = { ranges: readonly ReadRange[]; found: PageEntry[][] };

const readRoots = async (
  access: ListingAccess,
  { nodes, ...question }: PageQuestion,
): Promise<KnownCounters> => {
  const ahead = itemsAhead(access, { nodes, ...question });
  const questions = [rootItem, ...ahead].map((item) => ({ ...item, nodes }));
  const [roots = new Map<string, Counter>(), ...others] = await createCounterReader(access)(questions);
  return { roots, ahead: ahead.map((item, index) => ({ ...item, counters: others[index] ?? new Map() })) };
};

const rootItem: CounterItem = { level: rootLevel, item: 0 };
/** It counts the first 2^22 creations. */
const firstItem: CounterItem = { level: 2, item: 0 };

/** A page amid a long list goes down a level for sure, and as surely a second one where it lay amid a child before. */
const itemsAhead = ({ settings: { fewEntries }, hints }: ListingAccess, question: PageQuestion) => {
  const { wanted } = question;
  const { totalCount = 0, children = [] } = hints.lists.get(scopeOf(question)) ?? {};
  if (!('offset' in wanted) || !isAmid(wanted, totalCount, fewEntries)) return [];
  const child = childAround(children, wanted, fewEntries);
  return child ? [firstItem, { level: 1 as const, item: child.item }] : [firstItem];
};

const scopeOf = ({ nodes, status }: PageQuestion) => `${status} ${nodes.map(({ id }) => id).join()}`;

const scopesToKnow = 1_000;

/** Lists of many nodes are not remembered. */
const rememberList = (
  { settings: { fewNodes }, hints: { lists } }: ListingAccess,
  question: PageQuestion,
  seen: ListHints,
) => {
  if (question.nodes.length > fewNodes) return;
  if (lists.size >= scopesToKnow) lists.clear();
  const scope = scopeOf(question);
  lists.set(scope, { ...lists.get(scope), ...seen });
};

/** Walks down the counters to the spans that hold the page, and reads their entries. */
const readByCounters = async (
  access: ListingAccess,
  question: PageQuestion,
  { roots, ahead, seen }: KnownCounters & { seen: SeenRanges | undefined },
) => {
  const { settings } = access;
  const { status, wanted } = question;
  const rootSpans = spansOf({ radix: settings.radix, status }, rootItem, roots);
  const readCounters = withHints(access, question, withKnown(createCounterReader(access), ahead));
  const picked = await walk(settings, question, readCounters, pickSpans(rootSpans, wanted));
  const { ranges, skip } = planReading(picked, wanted, settings);
  rememberList(access, question, { walked: { wanted, ranges } });
  const { found } =
    seen && isDeepStrictEqual(seen.ranges, ranges) ? seen : await readRanges(access, question, ranges);
  return found.flat().slice(skip, skip + wanted.count);
};

const readRanges = async (
  access: ListingAccess,
  question: PageQuestion,
  ranges: readonly ReadRange[],
): Promise<SeenRanges> => ({
  ranges,
  found: await Promise.all(ranges.map((range) => readRange(access, question, range))),
});

/** A page amid a list lies where it lay, while the counters say the same of what is around it. */
const readWhereItLay = async (access: ListingAccess, question: PageQuestion) => {
  const { walked } = access.hints.lists.get(scopeOf(question)) ?? {};
  if (!walked || !isDeepStrictEqual(walked.wanted, question.wanted)) return undefined;
  return readRanges(access, question, walked.ranges);
};

/** Counters that were read ahead are not read again. */
const withKnown =
  (readCounters: CounterReader, ahead: KnownCounters['ahead']): CounterReader =>
  async (questions) => {
    const known = questions.map((question) => ahead.find((item) => isSame(item, question))?.counters);
    const others = questions.filter((_, index) => !known[index]);
    const answers = (others.length > 0 ? await readCounters(others) : []).values();
    return known.map((counters) => counters ?? answers.next().value ?? new Map());
  };

const isSame = (one: CounterItem, other: CounterItem) => one.level === other.level && one.item === other.item;

/** What lies where below the first item helps the next page to guess. */
const withHints =
  (access: ListingAccess, question: PageQuestion, readCounters: CounterReader): CounterReader =>
  async (questions) => {
    const answers = await readCounters(questions);
    const counters = answers[questions.findIndex((asked) => isSame(asked, firstItem))];
    const reading = { radix: access.settings.radix, status: question.status };
    const children =
      counters &&
      spansOf(reading, firstItem, counters).map((span) => ({
        item: itemBelow(reading.radix, span).item,
        matching: span.matching,
      }));
    if (children) rememberList(access, question, { children });
    return answers;
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
