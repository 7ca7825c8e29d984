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
import { type Counter, type CounterItem, type CounterReader, createCounterReader } from './counters.ts';
import { pageOfEnds, readFirstEnds, readLastPage } from './page-ends.ts';
import { type PageQuestion, readRange } from './page-entries.ts';
import type { ListingSettings } from './settings.ts';

/** Which transactions stand on a page, and how many there are in all. */
export type EntryPage = { uuids: string[]; totalCount: number };

/**
 * One page of the counted radix tree: the total from the roots, then the page from the runs' nearer end where that is
 * enough, else a walk down the counters to the entries.
 */
export const readEntryPage = async (access: ListingAccess, question: PageQuestion): Promise<EntryPage> => {
  const { wanted } = question;
  const [[roots, ahead], firstEnds] = await Promise.all([
    readRoots(access, question),
    readFirstEnds(access, question),
  ]);
  const counts = countsOf(question, roots);
  const totalCount = sumOf(counts, ({ matching }) => matching);
  rememberTotal(access, question, totalCount);
  if ('offset' in wanted && wanted.offset >= totalCount) return { uuids: [], totalCount };
  const entries =
    (firstEnds && pageOfEnds(firstEnds, counts, { count: wanted.count, descending: false })) ??
    (await readLastPage(access, question, counts)) ??
    (await readByCounters(access, question, [roots, ahead]));
  return { uuids: entries.map(({ u }) => u), totalCount };
};

/** What the roots count, node by node. */
const countsOf = ({ nodes, status }: PageQuestion, roots: ReadonlyMap<string, Counter>): CountedNode[] =>
  nodes.map(({ id }) => {
    const { n = 0, d = 0 } = roots.get(id) ?? {};
    return { id, all: n, matching: matchingOf(status, { n, d }) };
  });

/** The counters of the nodes' roots, and those one level down where they are needed for sure. */
type KnownCounters = [roots: Map<string, Counter>, ahead: Map<string, Counter> | undefined];

const readRoots = async (access: ListingAccess, question: PageQuestion): Promise<KnownCounters> => {
  const root = { ...rootItem, nodes: question.nodes };
  const below = { ...itemAhead, nodes: question.nodes };
  const questions = isSurelyWalked(access, question) ? [root, below] : [root];
  const [roots = new Map<string, Counter>(), ahead] = await createCounterReader(access)(questions);
  return [roots, ahead];
};

const rootItem: CounterItem = { level: rootLevel, item: 0 };
/** It counts the first 2^22 creations. */
const itemAhead: CounterItem = { level: 2, item: 0 };

/** A page amid a long list goes down a level for sure; totals of many nodes are not remembered. */
const isSurelyWalked = (
  { settings: { fewEntries }, hints: { totals } }: ListingAccess,
  question: PageQuestion,
) => {
  const { wanted } = question;
  if (!('offset' in wanted)) return false;
  const end = wanted.offset + wanted.count;
  return end > fewEntries && (totals.get(scopeOf(question)) ?? 0) - end > fewEntries;
};

const scopeOf = ({ nodes, status }: PageQuestion) => `${status} ${nodes.map(({ id }) => id).join()}`;

const scopesToKnow = 1_000;

const rememberTotal = (
  { settings: { fewNodes }, hints: { totals } }: ListingAccess,
  question: PageQuestion,
  totalCount: number,
) => {
  if (totals.size >= scopesToKnow) totals.clear();
  if (question.nodes.length <= fewNodes) totals.set(scopeOf(question), totalCount);
};

/** Walks down the counters to the spans that hold the page, and reads their entries. */
const readByCounters = async (
  access: ListingAccess,
  question: PageQuestion,
  [roots, ahead]: KnownCounters,
) => {
  const { settings } = access;
  const { status, wanted } = question;
  const rootSpans = spansOf({ radix: settings.radix, status }, rootItem, roots);
  const readCounters = withKnown(createCounterReader(access), ahead);
  const picked = await walk(settings, question, readCounters, pickSpans(rootSpans, wanted));
  const { ranges, skip } = planReading(picked, wanted, settings);
  const found = await Promise.all(ranges.map((range) => readRange(access, question, range)));
  return found.flat().slice(skip, skip + wanted.count);
};

/** Counters that were read ahead are not read again. */
const withKnown =
  (readCounters: CounterReader, ahead: Map<string, Counter> | undefined): CounterReader =>
  async (questions) => {
    const isKnown = ({ level, item }: CounterItem) =>
      ahead !== undefined && level === itemAhead.level && item === itemAhead.item;
    const others = questions.filter((question) => !isKnown(question));
    const answers = (others.length > 0 ? await readCounters(others) : []).values();
    return questions.map((question) => (isKnown(question) ? ahead : answers.next().value) ?? new Map());
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
