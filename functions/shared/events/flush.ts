import { chunksOf } from '../runtime/chunks.ts';
import { createLimit } from '../runtime/limit.ts';
import { takeTurn } from './passes.ts';
import { type RowKey, textOf } from './rows.ts';
import { type Run, type SendCounts, type SendDeps, sendRows } from './send.ts';
import { shards as allShards, type Due } from './table.ts';

/** What a flush has done, and what it has found. */
export type FlushCounts = SendCounts & {
  /** Rows at which it looked. */
  polled: number;
  /** Of first tellings; absent where none of their shards was asked. */
  oldestDueAgeMs?: number;
  /** The time ended before everything was loaded. */
  isCutShort: boolean;
  /** Shards with more than the flush may load. */
  backlog: number[];
};

/** First tellings, then what is sent again (EV-26), then passes, which make more of it due. */
const allTurns: readonly (readonly number[])[] = [allShards.first, allShards.again, allShards.passes];
const isOfFirst = (shard: number) => allShards.first.includes(shard);
const isOfPasses = (shard: number) => allShards.passes.includes(shard);

/** Rows that are worked on together, and how many such groups at once. */
const groupSize = 25;
const groupsAtOnce = 3;
/** At most forty entries are in doubt where an invocation is killed. */
const requestsAtOnce = 4;
const pageSize = 100;
/** How long what began in time may still send. */
const overtimeMs = 2_000;

/** An invocation that begins nothing after `beginUntilMs`. */
export const newRun = (deps: SendDeps, beginUntilMs: number): Run => {
  const counts: SendCounts = { sent: 0, unconfirmed: 0, refused: 0, failed: 0, oversize: 0 };
  const apart: Run['apart'] = async (work) => {
    try {
      return await work();
    } catch (fault) {
      counts.failed += 1;
      deps.log('flushFailed', {}, fault);
      return undefined;
    }
  };
  return { deps, sendUntilMs: beginUntilMs + overtimeMs, counts, apart, onBus: createLimit(requestsAtOnce) };
};

export type FlushBounds = {
  beginUntilMs: number;
  /** Shards that are worked off together, one such group after the other. */
  turns?: readonly (readonly number[])[];
  /** What a poll sends itself; more is a backlog, which it leaves to workers. */
  atMostRows?: number;
};

/** Sends everything that is due, the oldest first, as far as the time goes. Each row is looked at once. */
export const flushDue = async (
  deps: SendDeps,
  { beginUntilMs, turns = allTurns, atMostRows = Number.POSITIVE_INFINITY }: FlushBounds,
): Promise<FlushCounts> => {
  const run = newRun(deps, beginUntilMs);
  let [answered, polled, isCutShort] = [0, 0, false];
  let oldestDueAgeMs = turns.flat().some(isOfFirst) ? 0 : undefined;
  const backlog: number[] = [];
  const seen = new Set<string>();
  const isTime = () => deps.clock().getTime() < beginUntilMs;
  const poll = async (shard: number): Promise<(Due & { shard: number })[]> => {
    // Rows that fail stay first in their shard.
    const found = await run.apart(() => deps.table.due(shard, deps.clock().getTime(), pageSize + seen.size));
    if (found) answered += 1;
    return (found ?? []).filter(({ key }) => !seen.has(textOf(key))).map((due) => ({ ...due, shard }));
  };
  for (const shards of turns)
    for (let left = [...shards]; left.length > 0 && !isCutShort; ) {
      const found = (await Promise.all(left.map(poll)))
        .flat()
        .toSorted((one, other) => one.dueAtMs - other.dueAtMs);
      left = [...new Set(found.map(({ shard }) => shard))];
      const nowMs = deps.clock().getTime();
      for (const { dueAtMs, shard } of found)
        if (isOfFirst(shard)) oldestDueAgeMs = Math.max(oldestDueAgeMs ?? 0, nowMs - dueAtMs);
      // A turn of a pass takes so long that a poll leaves it to a worker.
      const isForWorkers = shards.some(isOfPasses) && Number.isFinite(atMostRows);
      if (found.length > atMostRows || backlog.length > 0 || (isForWorkers && found.length > 0)) {
        backlog.push(...left);
        break;
      }
      for (const { key } of found) seen.add(textOf(key));
      const passes = found.flatMap(({ key }) => (key.kind === 'PASS' ? key.clientId : []));
      for (const clientId of new Set(passes))
        if (!isTime() || (await run.apart(() => takeTurn(clientId, deps)))) isCutShort = true;
      await eachGroup(
        found.flatMap(({ key }) => (key.kind === 'PASS' ? [] : key)),
        async (keys) => {
          if (!isTime()) isCutShort = true;
          else {
            polled += keys.length;
            await apartOrAlone(keys, run);
          }
        },
      );
    }
  if (answered === 0) throw new Error('No part of the index of due rows has answered');
  return {
    ...run.counts,
    polled,
    ...(oldestDueAgeMs !== undefined && { oldestDueAgeMs }),
    isCutShort,
    backlog,
  };
};

const eachGroup = async (keys: readonly RowKey[], work: (keys: readonly RowKey[]) => Promise<void>) => {
  const groups = chunksOf(keys, groupSize);
  const worker = async () => {
    for (let group = groups.shift(); group; group = groups.shift()) await work(group);
  };
  await Promise.all(Array.from({ length: groupsAtOnce }, worker));
};

/** If a group fails as a whole, each row is tried alone, so that one bad row stops no other (EV-17). */
const apartOrAlone = async (keys: readonly RowKey[], run: Run) => {
  try {
    await sendRows(keys, run);
  } catch (fault) {
    if (keys.length === 1) await run.apart(() => Promise.reject(fault));
    else await Promise.all(keys.map((key) => run.apart(() => sendRows([key], run))));
  }
};

/** Sends the completions of these transactions without asking the index. Returns those that are still to be sent. */
export const sendCompletions = async (deps: SendDeps, uuids: readonly string[], beginUntilMs: number) => {
  const run = newRun(deps, beginUntilMs);
  const keys = uuids.map((uuid) => ({ kind: 'COMPLETED', uuid }) as const);
  await apartOrAlone(keys, run);
  const left = (await deps.table.read(keys)).filter(({ isTold }) => !isTold).map(({ uuid }) => uuid);
  return { counts: { ...run.counts, polled: keys.length }, left };
};
