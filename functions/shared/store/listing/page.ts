import { rootLevel } from '../../domain/listing/radix.ts';
import {
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
import type { ListingEntry } from './change.ts';
import { type Counter, type CounterItem, type CounterReader, createCounterReader } from './counters.ts';
import { type PageQuestion, readFirstEntries, readLastEntries, readRange } from './page-entries.ts';
import type { ListingSettings } from './settings.ts';

/** Which transactions stand on a page, and how many there are in all. */
export type EntryPage = { uuids: string[]; totalCount: number };

/**
 * One page of the counted radix tree: the total from the roots, then the page from the nearer end where that is enough,
 * else a walk down the counters to the entries.
 */
export const readEntryPage = async (access: ListingAccess, question: PageQuestion): Promise<EntryPage> => {
  const { status, wanted } = question;
  const [[roots, ahead], firstEntries] = await Promise.all([
    readRoots(access, question),
    readFirstEntries(access, question),
  ]);
  const totalCount = sumOf([...roots.values()], (root) => matchingOf(status, rootCounts(root)));
  rememberTotal(access, question, totalCount);
  const pageOf = (entries: readonly ListingEntry[]) => ({ uuids: entries.map(({ u }) => u), totalCount });

  if ('offset' in wanted && wanted.offset >= totalCount) return pageOf([]);
  if (firstEntries && firstEntries.length >= Math.min(wanted.count, totalCount)) return pageOf(firstEntries);
  const lastEntries = await readLastEntries(access, question, totalCount);
  return pageOf(lastEntries ?? (await readByCounters(access, question, [roots, ahead])));
};

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

const rootCounts = ({ n = 0, d = 0 }: Counter) => ({ n, d });

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
