import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { DebounceRow, DueRow, DueRowKey, DueRowOf } from '../../domain/event/debounce-row.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { dueRowOf } from './debounce-row-items.ts';
import type { Due } from './debounce-row-store.ts';
import { type DebounceKey, dueKeyOf, dueRowKey, isExpired } from './keys.ts';
import type { DebounceAccess } from './update.ts';

/** Reads a debounce row or marker with strong consistency. */
export const getDueRow = async <Key extends DueRowKey>(
  { documents, debounceTable, retryDelays, clock }: DebounceAccess,
  key: Key,
): Promise<DueRowOf<Key> | undefined> => {
  const request = consistentGet(debounceTable, dueRowKey(key));
  const { Item } = await withRetries(() => documents.send(request), retryDelays);
  return Item && !isExpired(Item, clock()) ? dueRowOf(key, Item) : undefined;
};

/** Reads many debounce rows; they never expire. */
export const getDebounceRows = async (
  access: TableAccess<'debounceTable'>,
  uuids: readonly string[],
): Promise<Map<string, DebounceRow>> => {
  const keys = [...new Set(uuids)].map((uuid) => dueRowKey({ uuid, kind: 'NOTIFY' }));
  const items = await batchGet(access, { table: access.debounceTable, keys });
  const debounceRows = items.flatMap((item) => {
    const key = dueKeyOf(item as DebounceKey);
    return key.kind === 'NOTIFY' ? [dueRowOf(key, item)] : [];
  });
  return new Map(debounceRows.map((debounceRow) => [debounceRow.uuid, debounceRow]));
};

/** Reads debounce rows and markers; expired ones are absent. */
export const getDueRows = async (
  access: DebounceAccess,
  dueRowKeys: readonly DueRowKey[],
): Promise<DueRow[]> => {
  const items = await batchGet(access, { table: access.debounceTable, keys: dueRowKeys.map(dueRowKey) });
  return items.flatMap((item) => {
    const key = dueKeyOf(item as DebounceKey);
    return key.kind === 'DELIVERY' || isExpired(item, access.clock()) ? [] : [dueRowOf(key, item) as DueRow];
  });
};

/** A shard that does not answer in this time is left to the next run. */
const pollTimeoutMs = 2_000;

/** Due keys of one shard, earliest first. */
export const queryDue = async (
  { documents, debounceTable, retryDelays }: DebounceAccess,
  { shard, nowMs, limit }: { shard: number; nowMs: number; limit: number },
): Promise<Due[]> => {
  const request = new QueryCommand({
    TableName: debounceTable,
    IndexName: 'due',
    KeyConditionExpression: '#dueShard = :shard AND #dueAtMs <= :nowMs',
    ExpressionAttributeNames: { '#dueShard': 'dueShard', '#dueAtMs': 'dueAtMs' },
    ExpressionAttributeValues: { ':shard': String(shard), ':nowMs': nowMs },
    Limit: limit,
  });
  const abortSignal = AbortSignal.timeout(pollTimeoutMs);
  const { Items = [] } = await withRetries(() => documents.send(request, { abortSignal }), retryDelays);
  return Items.map((item) => ({ key: dueKeyOf(item as DebounceKey), dueAtMs: Number(item.dueAtMs) }));
};
