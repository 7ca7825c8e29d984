import { bucketOf, rootLevel } from '../../domain/listing/radix.ts';
import {
  entriesOfAllRun,
  entriesToRead,
  isAllRunCheaper,
  itemBelow,
  matchingOf,
  type Picked,
  pickSpans,
  planReading,
  type Span,
  type Stretch,
  spansOf,
  spansToDescend,
  sumOf,
  type Wanted,
} from '../../domain/listing/read-plan.ts';
import { covers, type Grant } from '../../domain/ownership/grant.ts';
import type { OwnershipNode } from '../../domain/ownership/node.ts';
import type { Status } from '../../domain/transaction/transaction.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import type { ListingEntry } from './change.ts';
import {
  type Counter,
  type CounterItem,
  type CounterReader,
  createCounterReader,
  type GroupSizes,
} from './counters.ts';
import { allRunPartition, runPartition } from './keys.ts';
import { readRun } from './runs.ts';
import type { ListingSettings } from './settings.ts';

export type PageQuestion = {
  grants: readonly Grant[];
  nodes: readonly OwnershipNode[];
  status: Status | undefined;
  wanted: Wanted;
};

/** Which transactions stand on a page, and how many there are in all. */
export type EntryPage = { uuids: string[]; totalCount: number };

/** One page of the counted radix tree (listing.md, "Reads", steps 1 to 3). */
export const readEntryPage = async (
  access: TableAccess<'listingTable'>,
  settings: ListingSettings,
  question: PageQuestion,
  learnt: Learnt,
): Promise<EntryPage> => {
  const { nodes, status, wanted } = question;
  const readCounters = createCounterReader(access, settings, learnt.groupSizes);
  const root = { level: rootLevel, item: 0, nodes } as const;
  const ahead = isSurelyWalked(settings, question, learnt) ? [{ level: 2, item: 0, nodes } as const] : [];
  const [[roots = new Map<string, Counter>(), ...below], heads] = await Promise.all([
    readCounters([root, ...ahead]),
    readHeads(access, settings, question),
  ]);
  const totalCount = sumOf([...roots.values()], (root) => matchingOf(status, rootCounts(root)));
  learnTotal(settings, question, learnt, totalCount);
  const pageOf = (entries: readonly ListingEntry[]) => ({ uuids: entries.map(({ u }) => u), totalCount });

  if ('offset' in wanted && wanted.offset >= totalCount) return pageOf([]);
  if (heads && heads.length >= Math.min(wanted.count, totalCount)) return pageOf(heads);
  const tails = await readTails(access, settings, question, totalCount);
  if (tails) return pageOf(tails);

  const rootSpans = spansOf({ radix: settings.radix, status }, root, roots);
  const reader = withKnown(readCounters, below[0]);
  const picked = await walk(settings, question, reader, pickSpans(rootSpans, wanted));
  const { stretches, skip } = planReading(picked, wanted, settings);
  const parts = await Promise.all(
    stretches.map((stretch) => readStretch(access, settings, question, stretch)),
  );
  return pageOf(parts.flat().slice(skip, skip + wanted.count));
};

/** What this process has learnt; it only helps to guess what to read, never to answer. */
export type Learnt = { groupSizes: GroupSizes; totals: Map<string, number> };

export const nothingLearnt = (): Learnt => ({ groupSizes: new Map(), totals: new Map() });

const scopeOf = ({ nodes, status }: PageQuestion) => `${status} ${nodes.map(({ id }) => id).join()}`;

const scopesToKnow = 1_000;

const learnTotal = (
  { fewNodes }: ListingSettings,
  question: PageQuestion,
  { totals }: Learnt,
  totalCount: number,
) => {
  if (totals.size >= scopesToKnow) totals.clear();
  if (question.nodes.length <= fewNodes) totals.set(scopeOf(question), totalCount);
};

/** A page amid a long list goes down a level for sure: the first 2^22 creations' counters are read with the roots. */
const isSurelyWalked = (
  { fewNodes, fewEntries }: ListingSettings,
  question: PageQuestion,
  { totals }: Learnt,
) => {
  const { nodes, wanted } = question;
  if (!('offset' in wanted) || nodes.length > fewNodes) return false;
  const end = wanted.offset + wanted.count;
  return end > fewEntries && (totals.get(scopeOf(question)) ?? 0) - end > fewEntries;
};

const withKnown =
  (readCounters: CounterReader, known: Map<string, Counter> | undefined): CounterReader =>
  async (questions) => {
    const isKnown = ({ level, item }: CounterItem) => known !== undefined && level === 2 && item === 0;
    const others = questions.filter((question) => !isKnown(question));
    const answers = (others.length > 0 ? await readCounters(others) : []).values();
    return questions.map((question) => (isKnown(question) ? known : answers.next().value) ?? new Map());
  };

const rootCounts = ({ n = 0, d = 0 }: Counter) => ({ n, d });

/** Page 1 is read beside the roots: the runs' first entries, or for many nodes the first of the run over everybody. */
const readHeads = async (
  access: TableAccess<'listingTable'>,
  settings: ListingSettings,
  question: PageQuestion,
) => {
  const { nodes, status, wanted, grants } = question;
  if (status !== undefined || nodes.length === 0 || !('offset' in wanted) || wanted.offset > 0)
    return undefined;
  if (nodes.length > settings.fewNodes) return readFirstBucket(access, settings, grants, wanted.count);
  return mergeRuns(access, nodes, { descending: false, wanted: wanted.count });
};

/** One creation in 25 within the scope is enough to fill the page from here; else the walk finds it. */
const readFirstBucket = (
  access: TableAccess<'listingTable'>,
  { radix }: ListingSettings,
  grants: readonly Grant[],
  count: number,
) =>
  readRun(access, {
    partition: allRunPartition(bucketOf(radix, 0)),
    accept: (entry) => covers(grants, ownerOf(entry)),
    wanted: count,
    hint: count * 5,
    most: count * 25,
  });

/** The last page is what the runs end with. */
const readTails = async (
  access: TableAccess<'listingTable'>,
  { fewNodes }: ListingSettings,
  { nodes, status, wanted }: PageQuestion,
  totalCount: number,
) => {
  const isLast = 'offset' in wanted && wanted.offset + wanted.count >= totalCount;
  if (!isLast || status !== undefined || nodes.length > fewNodes) return undefined;
  return mergeRuns(access, nodes, { descending: true, wanted: totalCount - wanted.offset });
};

const mergeRuns = async (
  access: TableAccess<'listingTable'>,
  nodes: readonly OwnershipNode[],
  { descending, wanted }: { descending: boolean; wanted: number },
) => {
  const runs = await Promise.all(
    nodes.map(({ id }) => readRun(access, { partition: runPartition(id), descending, wanted, hint: wanted })),
  );
  return cut(runs.flat(), descending, wanted);
};

/** The wanted entries nearest to the end that was read from, in creation order. */
const cut = (entries: ListingEntry[], descending: boolean, wanted: number) => {
  const sorted = entries.sort((a, b) => (a.sk < b.sk ? -1 : 1));
  return descending ? sorted.slice(Math.max(0, sorted.length - wanted)) : sorted.slice(0, wanted);
};

/** Goes down the levels, one wave each, until the picked spans can be read. */
const walk = async (
  settings: ListingSettings,
  { nodes, status, wanted }: PageQuestion,
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
  return walk(settings, { nodes, status, wanted, grants: [] }, readCounters, next);
};

/** Offsets below picked spans count from the first of them. */
const relativeTo = ({ skip }: Picked, wanted: Wanted): Wanted =>
  'after' in wanted ? wanted : { count: wanted.count, offset: skip };

const activeNodes = (nodes: readonly OwnershipNode[], span: Span) => {
  const ids = new Set(span.nodes.map(({ id }) => id));
  return nodes.filter(({ id }) => ids.has(id));
};

/** One Query for each active run, or the run over everybody where that is cheaper. */
const readStretch = async (
  access: TableAccess<'listingTable'>,
  settings: ListingSettings,
  question: PageQuestion,
  stretch: Stretch,
) => {
  if (isAllRunCheaper(stretch, settings)) return readAllRun(access, settings, question, stretch);
  const { from, to, descending, matching } = stretch;
  const runs = await Promise.all(
    stretch.nodes
      .filter((node) => node.matching > 0)
      .map((node) =>
        readRun(access, {
          partition: runPartition(node.id),
          from,
          to,
          descending,
          accept: hasStatus(question.status),
          wanted: Math.min(matching, node.matching),
          hint: entriesToRead(matching, node),
        }),
      ),
  );
  return cut(runs.flat(), descending, matching);
};

/** Bucket by bucket from the nearer end, until enough is found that the grants cover. */
const readAllRun = async (
  access: TableAccess<'listingTable'>,
  { radix }: ListingSettings,
  { grants, status }: PageQuestion,
  stretch: Stretch,
) => {
  const { from, to, descending, matching } = stretch;
  const first = bucketOf(radix, from);
  const buckets = Array.from({ length: bucketOf(radix, to - 1) - first + 1 }, (_, index) => first + index);
  const found: ListingEntry[] = [];
  for (const bucket of descending ? buckets.reverse() : buckets) {
    const wanted = matching - found.length;
    if (wanted <= 0) break;
    found.push(
      ...(await readRun(access, {
        partition: allRunPartition(bucket),
        from,
        to,
        descending,
        accept: (entry) => hasStatus(status)(entry) && covers(grants, ownerOf(entry)),
        wanted,
        hint: entriesOfAllRun({ ...stretch, matching: wanted }),
      })),
    );
  }
  return cut(found, descending, matching);
};

const hasStatus = (status: Status | undefined) => (entry: ListingEntry) =>
  status === undefined || entry.s === status;

/** Enough of an owner for `covers`; entries without one have no `g`. */
export const ownerOf = ({ g, f = '', l = '' }: ListingEntry) =>
  g === undefined ? undefined : { group: g, franchise: f, location: l, branch: '', groupSoftware: null };
