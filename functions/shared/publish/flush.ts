import { chunksOf } from '../runtime/chunks.ts';
import { type DueKey, dueShards } from '../store/debounce/cursor-store.ts';
import { type ClaimedEvent, claim } from './claim.ts';
import { type DueWork, loadDue } from './load-due.ts';
import type { PublishDeps } from './publish-deps.ts';
import { sendAndSettle } from './send.ts';

/** What one flush came to. Ages are milliseconds. */
export type FlushCounts = {
  looked: number;
  claimed: number;
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
 * Publishes everything that is due. Rows go in groups of ten; what fails in one stops no other. No group begins after
 * `beginUntilMs`, and each row is looked at once, so that a flush ends.
 */
export const flushDue = async (
  deps: PublishDeps,
  { beginUntilMs }: { beginUntilMs: number },
): Promise<FlushCounts> => {
  const counts: FlushCounts = { looked: 0, claimed: 0, failed: 0, oldestDueAgeMs: 0, isCutShort: false };
  const seen = new Set<string>();
  const isInTime = () => deps.clock().getTime() < beginUntilMs;
  while (!counts.isCutShort) {
    const keys = await dueKeys(deps, counts);
    const fresh = keys.filter((key) => !seen.has(textOf(key)));
    if (fresh.length === 0) break;
    for (const key of fresh) seen.add(textOf(key));
    await eachGroup(fresh, async (group) => {
      if (isInTime()) await flushGroup(group, deps, counts);
      else counts.isCutShort = true;
    });
  }
  return counts;
};

const textOf = (key: DueKey) =>
  key.kind === 'DELIVERY' ? `${key.eventId}/${key.clientId}` : `${key.uuid}/${key.kind}`;

const dueKeys = async ({ cursors, clock }: PublishDeps, counts: FlushCounts): Promise<DueKey[]> => {
  const nowMs = clock().getTime();
  const shards = Array.from({ length: dueShards }, (_, shard) => cursors.due(shard, nowMs, pageSize));
  const due = (await Promise.all(shards)).flat();
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

const flushGroup = async (keys: readonly DueKey[], deps: PublishDeps, counts: FlushCounts) => {
  const apart = <Result>(work: Promise<Result>) =>
    work.catch((fault: unknown) => {
      counts.failed += 1;
      deps.log('flushFailed', {}, fault);
      return undefined;
    });
  counts.looked += keys.length;
  const work = await Promise.all(keys.map((key) => apart(loadDue(key, deps))));
  const claimed = (await apart(claimAll(work, deps, apart))) ?? [];
  counts.claimed += claimed.length;
  await apart(sendAndSettle(claimed, deps));
};

type Apart = <Result>(work: Promise<Result>) => Promise<Result | undefined>;

/** Partners are read once for a group, right before its claims. */
const claimAll = async (
  work: readonly DueWork[],
  deps: PublishDeps,
  apart: Apart,
): Promise<ClaimedEvent[]> => {
  const toClaim = work.flatMap((one) => (one && 'toClaim' in one ? [one.toClaim] : []));
  const again = work.flatMap((one) => (one && 'claimed' in one ? [one.claimed] : []));
  const partners = toClaim.length > 0 ? await deps.partners.all() : [];
  const claimed = await Promise.all(toClaim.map((one) => apart(claim({ ...one, partners }, deps))));
  return [...again, ...claimed.flatMap((one) => one ?? [])];
};
