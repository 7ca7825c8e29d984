import { chunksOf } from '../runtime/chunks.ts';
import { type Due, type DueKey, dueShards, resendShard } from '../store/debounce/debounce-row-store.ts';
import { createInvocation, type Invocation } from './invocation.ts';
import { loadAll } from './load-all.ts';
import { publishTasks, recipientsIn, tasksOf } from './portions.ts';
import type { PublishDeps } from './publish-deps.ts';

/** What one flush came to. Ages are milliseconds. */
export type FlushCounts = {
  polled: number;
  claimed: number;
  /** Faults: of rows, of entries, and of parts of the index that did not answer. */
  failed: number;
  oldestDueAgeMs: number;
  /** Its time was over before it had loaded everything. */
  isCutShort: boolean;
  /** Shards with more than it was to load, in the order of their oldest rows, first events first: it has loaded none of that. */
  backlog: number[];
};

/** Until when a flush begins rows, which, and how many. */
export type FlushBounds = {
  beginUntilMs: number;
  /** Shards of the due index that are asked and worked off together, one group of them after the other. */
  turns?: readonly (readonly number[])[];
  /** What it may find in a turn at once, at most; more is a backlog, which it leaves. */
  atMost?: Workload;
};

/** So many due rows, for so many recipients in all. */
export type Workload = { rows: number; recipients: number };

/** All shards of the due index: first events first, then what is sent again (EV-26). */
export const allTurns: readonly (readonly number[])[] = [
  Array.from({ length: dueShards }, (_, shard) => shard),
  [resendShard],
];

/** Rows of one shard of the index at a time; more where an invocation asks few shards. */
const pageSize = 100;
/** Rows that an invocation asks for at a time, of all its shards. */
const roundSize = 1_000;
/** Rows that are read together. */
const groupSize = 100;
const groupsAtOnce = 2;

/** A due row, and where it was found. */
type Found = Due & { shard: number };

/** What a flush works with from one turn to the next. */
type Work = {
  invocation: Invocation;
  /** Rows that this invocation has loaded. */
  seen: Set<string>;
  counts: FlushCounts;
  /** How many questions to the index were answered. */
  answered: number;
};

/**
 * Publishes everything that is due, the oldest first. Rows are read in groups of a hundred; what fails in one stops no
 * other. Nothing is begun after `beginUntilMs`, and each row is loaded once, so that a flush ends.
 */
export const flushDue = async (
  deps: PublishDeps,
  { beginUntilMs, turns = allTurns, atMost = unbounded }: FlushBounds,
): Promise<FlushCounts> => {
  const nothing = { polled: 0, claimed: 0, failed: 0, oldestDueAgeMs: 0, isCutShort: false };
  const counts: FlushCounts = { ...nothing, backlog: [] };
  const invocation = createInvocation(deps, {
    beginUntilMs,
    onFault: (fault, facts) => {
      counts.failed += 1;
      deps.log('flushFailed', facts, fault);
    },
  });
  const work: Work = { invocation, seen: new Set(), counts, answered: 0 };
  // Workers of a backlog are asked for when all turns are over, so nothing else is worked on before.
  for (const shards of turns)
    await flushTurn(new Set(shards), work, counts.backlog.length > 0 ? nothingItself : atMost);
  if (work.answered === 0) throw new Error('No part of the index of what is due has answered');
  return counts;
};

/** `shards` are those that may have more. */
const flushTurn = async (shards: Set<number>, work: Work, atMost: Workload): Promise<void> => {
  const { counts } = work;
  const backlogBefore = counts.backlog.length;
  while (!counts.isCutShort && counts.backlog.length === backlogBefore) {
    const found = await poll(shards, work);
    if (found.length === 0) break;
    if (found.length > atMost.rows) counts.backlog.push(...shardsIn(found));
    else await flushFound(found, work, atMost.recipients);
  }
};

const unbounded: Workload = { rows: Number.POSITIVE_INFINITY, recipients: Number.POSITIVE_INFINITY };
const nothingItself: Workload = { rows: 0, recipients: 0 };

const shardsIn = (found: readonly Found[]) => [...new Set(found.map(({ shard }) => shard))];

const textOf = (key: DueKey) =>
  key.kind === 'DELIVERY' ? `${key.eventId}/${key.clientId}` : `${key.uuid}/${key.kind}`;

/**
 * What this invocation has not loaded, the oldest first. A shard that does not answer is left to the next invocation: the
 * others are not kept waiting a second time. One that has nothing more is not asked again either.
 */
const poll = async (shards: Set<number>, work: Work): Promise<Found[]> => {
  const { invocation, seen, counts } = work;
  const asked = [...shards];
  const nowMs = invocation.deps.clock().getTime();
  const limit = Math.max(pageSize, Math.floor(roundSize / asked.length));
  const askShard = async (shard: number): Promise<Found[]> => {
    const fresh = await freshIn(shard, { invocation, seen, nowMs, limit });
    if (fresh) work.answered += 1;
    if (!fresh || fresh.length === 0) shards.delete(shard);
    return fresh ?? [];
  };
  const found = (await Promise.all(asked.map(askShard))).flat();
  for (const { dueAtMs } of found) counts.oldestDueAgeMs = Math.max(counts.oldestDueAgeMs, nowMs - dueAtMs);
  return found.toSorted((one, other) => one.dueAtMs - other.dueAtMs);
};

type Asked = Pick<Work, 'invocation' | 'seen'> & { nowMs: number; limit: number };

/** Rows that fail every time stay first in their shard, so a page of them is followed by a larger one. */
const freshIn = async (
  shard: number,
  { invocation, seen, nowMs, limit }: Asked,
  before = 0,
): Promise<Found[] | undefined> => {
  const found = await invocation.apart(() => invocation.deps.debounceRows.due(shard, nowMs, limit), {
    shard,
  });
  if (!found) return undefined;
  const fresh = found.filter(({ key }) => !seen.has(textOf(key)));
  const isMore = found.length > before;
  return fresh.length === 0 && isMore
    ? freshIn(shard, { invocation, seen, nowMs, limit: 2 * limit }, found.length)
    : fresh.map((due) => ({ ...due, shard }));
};

const flushFound = async (found: readonly Found[], work: Work, mostRecipients: number) => {
  const { invocation, seen, counts } = work;
  for (const { key } of found) seen.add(textOf(key));
  await eachGroup(found, async (group) => {
    if (!invocation.hasTimeFor(0)) {
      counts.isCutShort = true;
      return;
    }
    const keys = group.map(({ key }) => key);
    const tasks = await tasksOf(await loadAll(keys, invocation), invocation);
    if (recipientsIn(tasks) > mostRecipients) {
      counts.backlog.push(...shardsIn(found));
      return;
    }
    counts.polled += group.length;
    const { claimed, isCutShort } = await publishTasks(tasks, invocation);
    counts.claimed += claimed;
    counts.isCutShort ||= isCutShort;
  });
};

const eachGroup = async (found: readonly Found[], work: (group: readonly Found[]) => Promise<void>) => {
  const groups = chunksOf(found, groupSize);
  const worker = async () => {
    for (let group = groups.shift(); group; group = groups.shift()) await work(group);
  };
  await Promise.all(Array.from({ length: groupsAtOnce }, worker));
};
