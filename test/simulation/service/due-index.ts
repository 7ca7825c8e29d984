import { type PassKey, type RowKey, textOf } from '../../../functions/shared/events/rows.ts';
import type { Due } from '../../../functions/shared/events/table.ts';
import type { Kernel } from '../kernel/kernel.ts';

/** The due index as DynamoDB has it: a copy that follows the rows, late, each row in order. */
export const createDueIndex = (kernel: Kernel, lagMs: () => number) => {
  const shards = new Map<number, Map<string, Due>>();
  const shardNow = new Map<string, number>();
  const visibleAt = new Map<string, number>();

  const apply = (key: RowKey | PassKey, shard: number, dueAtMs: number | undefined) => {
    shards.get(shardNow.get(textOf(key)) ?? shard)?.delete(textOf(key));
    shardNow.set(textOf(key), shard);
    const rows = shards.get(shard) ?? new Map<string, Due>();
    shards.set(shard, rows);
    if (dueAtMs === undefined) rows.delete(textOf(key));
    else rows.set(textOf(key), { key, dueAtMs });
  };

  return {
    /** A row is now scheduled for `dueAtMs`, or not at all; the index will know. */
    follow: (key: RowKey | PassKey, shard: number, dueAtMs: number | undefined) => {
      const text = textOf(key);
      const atMs = Math.max(visibleAt.get(text) ?? 0, kernel.nowMs() + lagMs());
      visibleAt.set(text, atMs);
      kernel.at(atMs, () => apply(key, shard, dueAtMs));
    },
    due: (shard: number, nowMs: number, limit: number): Due[] =>
      [...(shards.get(shard)?.values() ?? [])]
        .filter(({ dueAtMs }) => dueAtMs <= nowMs)
        .sort((one, other) => one.dueAtMs - other.dueAtMs)
        .slice(0, limit)
        .map(({ key, dueAtMs }) => ({ key: { ...key }, dueAtMs })),
  };
};

export type DueIndex = ReturnType<typeof createDueIndex>;
