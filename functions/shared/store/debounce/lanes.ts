import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { withRetries } from '../dynamodb/retry.ts';
import { laneKey, lanePartition } from './keys.ts';
import type { LaneLease, LaneStore } from './lane-store.ts';
import { type DebounceAccess, type RowUpdate, updateRow } from './update.ts';

const isHeld = ({ untilMs }: { untilMs?: number }, nowMs: number) => untilMs !== undefined && untilMs > nowMs;

/**
 * Lanes over DynamoDB: a small row each, in a partition of their own, so that one question shows them all. A run whose answer
 * was lost takes its lane once more.
 */
export const createLaneStore = (access: DebounceAccess): LaneStore => ({
  held: async (nowMs) => {
    const rows = await readLanes(access);
    return new Set(rows.filter((row) => isHeld(row, nowMs)).map(({ sk }) => Number(sk)));
  },
  take: async (lane, lease) => (await updateRow(access, laneKey(lane), takeUpdate(lease))).isDone,
  giveBack: async (lane, holder) => {
    await updateRow(access, laneKey(lane), giveBackUpdate(holder));
  },
});

const readLanes = async ({ documents, debounceTable, retryDelays }: DebounceAccess) => {
  const request = new QueryCommand({
    TableName: debounceTable,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': lanePartition },
    ConsistentRead: true,
  });
  const { Items = [] } = await withRetries(() => documents.send(request), retryDelays);
  return Items as { sk: string; untilMs?: number }[];
};

const takeUpdate = ({ holder, nowMs, untilMs }: LaneLease): RowUpdate => ({
  update: 'SET #holder = :holder, #untilMs = :untilMs',
  condition: 'attribute_not_exists(#untilMs) OR #untilMs <= :nowMs OR #holder = :holder',
  values: { holder, nowMs, untilMs },
});

const giveBackUpdate = (holder: string): RowUpdate => ({
  update: 'REMOVE #holder, #untilMs',
  condition: '#holder = :holder',
  values: { holder },
});
