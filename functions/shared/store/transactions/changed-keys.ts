import { createHash } from 'node:crypto';
import type { StoredTransaction } from '../../domain/transaction/transaction.ts';

/** Partitions of each hour, so that busy hours are not in a single one. */
export const changedShards = 4;
const hourMs = 60 * 60 * 1000;

/**
 * The partition of the index `changed`: the hour of the last change, for example `2026-11-21T13#2`. Undefined while no
 * event is due (EV-10), so that imports cost nothing there, and for a transaction that was erased after its deletion.
 */
export const changedIn = (stored: StoredTransaction) =>
  stored.version >= stored.notifyFromVersion && !isErasedAfterDeletion(stored)
    ? `${hourOf(stored.updatedAtMs)}#${shardOf(stored.transaction.uuid)}`
    : undefined;

/** Its version rose without a change of a part, so the reconciler would schedule it again each time. */
const isErasedAfterDeletion = ({ erasedAtMs, elementVersions, version }: StoredTransaction) =>
  erasedAtMs !== undefined && elementVersions.own < version;

/** The partitions of a time span, the oldest first. */
export const changedPartitions = (fromMs: number, toMs: number): string[] => {
  if (fromMs >= toMs) return [];
  const first = Math.floor(fromMs / hourMs) * hourMs;
  const hours = Array.from({ length: Math.ceil((toMs - first) / hourMs) }, (_, index) =>
    hourOf(first + index * hourMs),
  );
  return hours.flatMap((hour) => Array.from({ length: changedShards }, (_, shard) => `${hour}#${shard}`));
};

const hourOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 13);

const shardOf = (uuid: string) => createHash('sha256').update(uuid).digest().readUInt32BE() % changedShards;
