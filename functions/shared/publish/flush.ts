import { chunksOf } from '../runtime/chunks.ts';
import { type Due, type DueKey, dueShards } from '../store/debounce/cursor-store.ts';
import { loadDue } from './load-due.ts';
import type { PublishDeps } from './publish-deps.ts';
import { createRun, type Run } from './run.ts';
import { takeUpAll } from './take-up.ts';

/** What one flush came to. Ages are milliseconds. */
export type FlushCounts = {
  looked: number;
  claimed: number;
  /** Faults: of rows, of entries, and of parts of the index that did not answer. */
  failed: number;
  oldestDueAgeMs: number;
  /** Its time was over before it had looked at everything. */
  isCutShort: boolean;
};

/** Rows of one shard of the index at a time. */
const pageSize = 100;
/** Rows that go to the bus together. */
const groupSize = 10;
const groupsAtOnce = 4;

/**
 * Publishes everything that is due, the oldest first. Rows go in groups of ten; what fails in one stops no other. Nothing
 * is taken up after `beginUntilMs`, and each row is looked at once, so that a flush ends.
 */
export const flushDue = async (
  deps: PublishDeps,
  { beginUntilMs }: { beginUntilMs: number },
): Promise<FlushCounts> => {
  const counts: FlushCounts = { looked: 0, claimed: 0, failed: 0, oldestDueAgeMs: 0, isCutShort: false };
  const run = createRun(deps, {
    beginUntilMs,
    onFault: (fault, facts) => {
      counts.failed += 1;
      deps.log('flushFailed', facts, fault);
    },
  });
  const seen = new Set<string>();
  const shards = new Set(Array.from({ length: dueShards }, (_, shard) => shard));
  while (!counts.isCutShort) {
    const fresh = await dueKeys(run, { shards, seen, counts });
    if (fresh.length === 0) break;
    for (const key of fresh) seen.add(textOf(key));
    await eachGroup(fresh, async (group) => {
      if (run.hasTimeFor(0)) await flushGroup(group, run, counts);
      else counts.isCutShort = true;
    });
  }
  return counts;
};

const textOf = (key: DueKey) =>
  key.kind === 'DELIVERY' ? `${key.eventId}/${key.clientId}` : `${key.uuid}/${key.kind}`;

type Looked = { shards: Set<number>; seen: ReadonlySet<string>; counts: FlushCounts };

/**
 * What this run has not looked at. A shard that does not answer is left to the next run: the others are not kept waiting a
 * second time. Rows that fail every time stay first in their shard, so a page of them is followed by a larger one.
 */
const dueKeys = async (run: Run, { shards, seen, counts }: Looked): Promise<DueKey[]> => {
  const { cursors, clock } = run.deps;
  const nowMs = clock().getTime();
  const look = async (shard: number, limit = pageSize, before = 0): Promise<Due[]> => {
    const found = await run.apart(() => cursors.due(shard, nowMs, limit), { shard });
    if (!found) shards.delete(shard);
    const fresh = (found ?? []).filter(({ key }) => !seen.has(textOf(key)));
    const isMore = found !== undefined && found.length > before;
    return fresh.length === 0 && isMore ? look(shard, 2 * limit, found.length) : fresh;
  };
  const due = (await Promise.all([...shards].map((shard) => look(shard)))).flat();
  if (shards.size === 0) throw new Error('No part of the index of what is due has answered');
  for (const { dueAtMs } of due) counts.oldestDueAgeMs = Math.max(counts.oldestDueAgeMs, nowMs - dueAtMs);
  return due.toSorted((one, other) => one.dueAtMs - other.dueAtMs).map(({ key }) => key);
};

const eachGroup = async (keys: readonly DueKey[], work: (group: readonly DueKey[]) => Promise<void>) => {
  const groups = chunksOf(keys, groupSize);
  const worker = async () => {
    for (let group = groups.shift(); group; group = groups.shift()) await work(group);
  };
  await Promise.all(Array.from({ length: groupsAtOnce }, worker));
};

const flushGroup = async (keys: readonly DueKey[], run: Run, counts: FlushCounts) => {
  counts.looked += keys.length;
  const found = await Promise.all(keys.map((key) => run.apart(() => loadDue(key, run.deps))));
  const { claimed, isCutShort } = await takeUpAll(found, run);
  counts.claimed += claimed;
  counts.isCutShort ||= isCutShort;
};
