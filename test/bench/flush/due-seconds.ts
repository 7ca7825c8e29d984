import type { DueRowKey } from '../../../functions/shared/domain/event/debounce-row.ts';
import type { Due } from '../../../functions/shared/store/debounce/debounce-row-store.ts';
import { dueShardOf } from '../../../functions/shared/store/debounce/keys.ts';

/**
 * The index of due rows for hundreds of thousands of rows, by shard and second, so that a query processes little more
 * than its result.
 */
export const createDueSeconds = () => {
  const shards = new Map<number, Map<number, Map<string, Due>>>();
  const dueAt = new Map<string, number>();
  const rowsOf = (shard: number, second: number) => {
    const seconds = shards.get(shard) ?? new Map<number, Map<string, Due>>();
    shards.set(shard, seconds);
    const rows = seconds.get(second) ?? new Map<string, Due>();
    seconds.set(second, rows);
    return { seconds, rows };
  };

  return {
    /** A row is due then, or not at all. */
    follow: (key: DueRowKey, dueAtMs: number | undefined) => {
      const text = `${key.uuid}/${key.kind}`;
      const shard = dueShardOf(key.uuid);
      const before = dueAt.get(text);
      if (before !== undefined) {
        const second = Math.floor(before / 1_000);
        const { seconds, rows } = rowsOf(shard, second);
        rows.delete(text);
        if (rows.size === 0) seconds.delete(second);
      }
      if (dueAtMs === undefined) dueAt.delete(text);
      else {
        dueAt.set(text, dueAtMs);
        rowsOf(shard, Math.floor(dueAtMs / 1_000)).rows.set(text, { key, dueAtMs });
      }
    },
    due: (shard: number, nowMs: number, limit: number): Due[] => {
      const seconds = shards.get(shard) ?? new Map<number, Map<string, Due>>();
      const found: Due[] = [];
      for (const second of [...seconds.keys()].sort((one, other) => one - other)) {
        if (found.length >= limit || second * 1_000 > nowMs) break;
        const rows = [...(seconds.get(second)?.values() ?? [])];
        found.push(...rows.filter(({ dueAtMs }) => dueAtMs <= nowMs));
      }
      return found.toSorted((one, other) => one.dueAtMs - other.dueAtMs).slice(0, limit);
    },
  };
};
