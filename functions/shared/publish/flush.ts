import { chunksOf } from '../runtime/chunks.ts';
import { type Due, type DueKey, dueShards, resendShard } from '../store/debounce/debounce-row-store.ts';
import { createInvocation, type Invocation } from './invocation.ts';
import { loadAll } from './load-all.ts';
import { publishTasks, recipientsIn, tasksOf } from './portions.ts';
import type { PublishDeps } from './publish-deps.ts';

/** The result of one flush. Ages are in milliseconds. */
export type FlushCounts = {
  polled: number;
  claimed: number;
  /** Faults of rows, of entries, and of index shards that did not answer. */
  failed: number;
  oldestDueAgeMs: number;
  /** The time ended before everything was loaded. */
  isCutShort: boolean;
  /** Shards with more than the flush may load, ordered by their oldest row, first events first. Nothing of them was loaded. */
  backlog: number[];
};

/** The limits of a flush: time, shards and amount. */
export type FlushBounds = {
  beginUntilMs: number;
  /** Groups of due shards. The shards of a group are polled together, the groups one after the other. */
  turns?: readonly (readonly number[])[];
  /** The most that a group may have. More is a backlog, which is left to workers. */
  atMost?: Workload;
};

/** Due rows, and their recipients in all. */
export type Workload = { rows: number; recipients: number };

/** All due shards: first events first, then retries and replays (EV-26). */
export const allTurns: readonly (readonly number[])[] = [
  Array.from({ length: dueShards }, (_, shard) => shard),
  [resendShard],
];

/** Rows of one shard in a page; more if few shards are polled. */
const pageSize = 100;
/** Rows in a poll of all shards. */
const roundSize = 1_000;
/** Rows that are read together. */
const groupSize = 100;
const groupsAtOnce = 2;

/** A due row and its shard. */
type Found = Due & { shard: number };

/** State of a flush over its groups of shards. */
type Work = {
  invocation: Invocation;
  /** Rows that this invocation has loaded. */
  seen: Set<string>;
  counts: FlushCounts;
  /** Index queries that were answered. */
  answered: number;
};

/**
 * Publishes everything that is due, oldest first. Rows are read in groups of a hundred, and a fault in one stops no other.
 * Nothing starts after `beginUntilMs`, and each row is loaded once, so a flush ends.
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
  // Workers for a backlog are requested after all groups, so that nothing else is published before.
  for (const shards of turns)
    await flushTurn(new Set(shards), work, counts.backlog.length > 0 ? nothingItself : atMost);
  if (work.answered === 0) throw new Error('No part of the index of due rows has answered');
  return counts;
};

/** `shards` are the ones that may have more rows. */
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
 * Rows that this invocation has not loaded, oldest first. A shard that does not answer, or has no more rows, is not polled
 * again.
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

/** Rows that always fail stay first in their shard, so after a page of them a larger one is read. */
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
