import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Inflight, Notice, NoticeKey } from '../../domain/event/cursor.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { Due } from './cursor-store.ts';
import { type DebounceKey, dueKeyOf, isExpired, noticeKey } from './keys.ts';
import type { DebouncePlace } from './update.ts';

/** A notice as it stands now, strongly consistent. */
export const getNotice = async (
  { documents, debounceTable, patience, clock }: DebouncePlace,
  key: NoticeKey,
) => {
  const request = new GetCommand({ TableName: debounceTable, Key: noticeKey(key), ConsistentRead: true });
  const { Item } = await withRetries(() => documents.send(request), patience);
  return Item && !isExpired(Item, clock()) ? noticeOf(key, Item) : undefined;
};

/** Many cursors as they stand now; cursors never expire. */
export const getCursors = async (
  { documents, debounceTable, patience }: DebouncePlace,
  uuids: readonly string[],
) => {
  const keys = [...new Set(uuids)].map((uuid) => noticeKey({ uuid, kind: 'NOTIFY' }));
  const items = await batchGet(documents, { table: debounceTable, keys }, patience);
  const notices = items.flatMap((item) => {
    const key = dueKeyOf(item as DebounceKey);
    return key.kind === 'DELIVERY' ? [] : [noticeOf(key, item)];
  });
  return new Map(notices.map((notice) => [notice.uuid, notice]));
};

/** What is due in one part of the index, the earliest first. */
export const queryDue = async (
  { documents, debounceTable, patience }: DebouncePlace,
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
  const { Items = [] } = await withRetries(() => documents.send(request), patience);
  return Items.map((item) => ({ key: dueKeyOf(item as DebounceKey), dueAtMs: Number(item.dueAtMs) }));
};

const numbers = ['dueAtMs', 'notifiedVersion', 'lastSentAtMs', 'heldSinceMs', 'version'] as const;

/** Only the stores write such rows, so their shape is trusted. */
export const noticeOf = (
  { uuid, kind }: NoticeKey,
  { rev, touch, inflight, changed, ...row }: Record<string, unknown>,
): Notice => ({
  uuid,
  kind,
  rev: Number(rev),
  touch: Number(touch),
  ...Object.fromEntries(
    numbers.flatMap((name) => (row[name] === undefined ? [] : [[name, Number(row[name])]])),
  ),
  ...(inflight !== undefined && { inflight: inflight as Inflight }),
  ...(changed !== undefined && { changed: [...(changed as Set<string>)] }),
});
