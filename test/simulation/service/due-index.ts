import {
  type Due,
  type DueKey,
  resendShard,
} from '../../../functions/shared/store/debounce/debounce-row-store.ts';
import { dueShardOf } from '../../../functions/shared/store/debounce/keys.ts';
import type { Kernel } from '../kernel/kernel.ts';

/** The due index as DynamoDB has it: a copy that follows the rows, late, each row in order. */
export const createDueIndex = (kernel: Kernel, lagMs: () => number) => {
  const shards = new Map<number, Map<string, Due>>();
  const visibleAt = new Map<string, number>();

  const apply = (key: DueKey, dueAtMs: number | undefined) => {
    const shard = key.kind === 'DELIVERY' ? resendShard : dueShardOf(key.uuid);
    const rows = shards.get(shard) ?? new Map<string, Due>();
    shards.set(shard, rows);
    if (dueAtMs === undefined) rows.delete(textOf(key));
    else rows.set(textOf(key), { key, dueAtMs });
  };

  return {
    /** A row is now scheduled for `dueAtMs`, or not at all; the index will know. */
    follow: (key: DueKey, dueAtMs: number | undefined) => {
      const text = textOf(key);
      const atMs = Math.max(visibleAt.get(text) ?? 0, kernel.nowMs() + lagMs());
      visibleAt.set(text, atMs);
      kernel.at(atMs, () => apply(key, dueAtMs));
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

const textOf = (key: DueKey) =>
  key.kind === 'DELIVERY' ? `${key.eventId}/${key.clientId}` : `${key.uuid}/${key.kind}`;
