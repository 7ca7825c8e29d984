import { pageSize, type Stream } from './stream.ts';
import type { Deliver } from './stream-delivery.ts';
import type { Positions } from './stream-positions.ts';

export type ReaderDeps = {
  stream: Stream;
  positions: Positions;
  deliver: Deliver;
  /** Prints a sentence about a fault, given without its subject. */
  warn: (sentence: string) => void;
  pause: (ms: number) => Promise<void>;
  nowMs: () => number;
  stopping: AbortSignal;
};

/** Four times a second, as on Lambda. */
const pollMs = 250;
/** The time between two searches for new shards. */
const listMs = 5000;

/** Reads all shards of a stream until `stopping`: each in its order, and a child after the end of its parent. */
export const readStream = async (deps: ReaderDeps): Promise<void> => {
  const { stream, positions, warn, pause, stopping } = deps;
  const reading = new Set<string>();
  while (!stopping.aborted) {
    const shards = await stream.shards().catch((error: unknown) => {
      if (!stopping.aborted) warn(`its stream cannot be listed: ${error}`);
      return [];
    });
    const ids = shards.map(({ id }) => id);
    const isOver = (id: string) => !ids.includes(id) || positions.of(id).isFinished === true;
    if (ids.length > 0) positions.keep(ids);
    for (const { id, parent } of shards) {
      if (isOver(id) || reading.has(id) || (parent !== undefined && !isOver(parent))) continue;
      reading.add(id);
      void readShard(id, deps).finally(() => reading.delete(id));
    }
    await pause(listMs);
  }
};

const readShard = async (shard: string, deps: ReaderDeps): Promise<void> => {
  const { stream, positions, deliver, pause, nowMs, stopping } = deps;
  let iterator: string | undefined;
  let faults = 0;
  while (!stopping.aborted) {
    const startedMs = nowMs();
    try {
      iterator ??= await stream.iteratorAfter(shard, positions.of(shard).after);
      const { records, next } = await stream.read(iterator);
      await deliver(shard, records);
      if (stopping.aborted) return;
      if (next === undefined) return positions.save(shard, { ...positions.of(shard), isFinished: true });
      [iterator, faults] = [next, 0];
      if (records.length === pageSize) continue;
    } catch (error) {
      [iterator, faults] = [undefined, faults + 1];
      // A single fault may be an iterator that expired during a long delivery.
      if (faults === 2 && !stopping.aborted) deps.warn(`its stream cannot be read: ${error}`);
    }
    await pause(faults > 1 ? Math.min(pollMs * 2 ** faults, 10_000) : pollMs - (nowMs() - startedMs));
  }
};
