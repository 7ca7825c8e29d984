import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../dynamodb/batch-get.ts';
import { withRetries } from '../dynamodb/retry.ts';
import { type DebounceKey, deliveryKey, eventIdOfKey, isExpired } from './keys.ts';
import { type DebounceItem, deliveryOf } from './ledger-items.ts';
import type { DeliveryPage, DeliveryPageAsked, LedgerPages, LedgerPosition } from './ledger-store.ts';
import type { DebounceAccess } from './update.ts';

type IndexRow = DebounceKey & { claimedAtMs: number };

/** 5 MB of the index of a transaction, whose rows to other partners are passed over: some 35 events of 1,000 partners. */
const mostQueries = 5;

/** The pages over DynamoDB. */
export const createLedgerPages = (access: DebounceAccess): LedgerPages => ({
  deliveryPage: (asked) => readDeliveryPage(access, asked),
});

/** One Query of the partner's own index, or a few of a transaction's, and one read of what they found. */
const readDeliveryPage = async (access: DebounceAccess, asked: DeliveryPageAsked): Promise<DeliveryPage> => {
  const where = startIn(asked);
  if (!where) return { deliveries: [] };
  const { rows, next } = await indexRows(access, where);
  const keys = rows.map(({ pk, sk }) => ({ pk, sk }));
  const found = await batchGet(access, { table: access.debounceTable, keys });
  const byKey = new Map(found.map((item) => [String(item.pk), item as DebounceItem]));
  const deliveries = keys
    .flatMap(({ pk }) => byKey.get(pk) ?? [])
    .filter((item) => !isExpired(item, access.clock()))
    .map(deliveryOf);
  return { deliveries, ...(next && { next }) };
};

/**
 * What is left to read: a place before the span begins it anew, one behind it ends it. The engine refuses a span that ends
 * before it begins, and a place outside of it: a cursor may be older than the span of 30 days by now.
 */
const startIn = (asked: DeliveryPageAsked): DeliveryPageAsked | undefined => {
  const { first, last } = timesOf(asked);
  if (first > last) return undefined;
  const { after, oldestFirst, ...anew } = asked;
  const at = after?.eventId === undefined ? undefined : after.claimedAtMs;
  if (at === undefined || (at >= first && at <= last)) return asked;
  const isBehind = oldestFirst ? at > last : at < first;
  return isBehind ? undefined : { ...anew, ...(oldestFirst && { oldestFirst }) };
};

const indexRows = async (access: DebounceAccess, asked: DeliveryPageAsked) => {
  const rows: IndexRow[] = [];
  let start = startOf(asked);
  for (let queries = 1; ; queries += 1) {
    const { Items, LastEvaluatedKey } = await queryIndex(access, asked, start);
    rows.push(...(Items as IndexRow[]));
    if (rows.length > asked.limit || (LastEvaluatedKey && rows.length === asked.limit)) {
      const page = rows.slice(0, asked.limit);
      return { rows: page, next: positionOf(page.at(-1)) };
    }
    if (!LastEvaluatedKey) return { rows, next: undefined };
    if (queries === mostQueries) return { rows, next: { claimedAtMs: Number(LastEvaluatedKey.claimedAtMs) } };
    start = LastEvaluatedKey;
  }
};

const positionOf = (row: IndexRow | undefined): LedgerPosition | undefined =>
  row && { claimedAtMs: row.claimedAtMs, eventId: eventIdOfKey(row) };

/** A row's place in its index; it need not be there any more. */
const startOf = ({ clientId, uuid, after }: DeliveryPageAsked): Record<string, unknown> | undefined =>
  after?.eventId === undefined
    ? undefined
    : {
        ...deliveryKey({ eventId: after.eventId, clientId }),
        ...(uuid === undefined ? { clientId } : { uuid }),
        claimedAtMs: after.claimedAtMs,
      };

const queryIndex = async (
  { documents, debounceTable, retryDelays }: DebounceAccess,
  asked: DeliveryPageAsked,
  start: Record<string, unknown> | undefined,
) => {
  const request = new QueryCommand({
    TableName: debounceTable,
    ...inIndex(asked),
    ScanIndexForward: asked.oldestFirst === true,
    ...(start && { ExclusiveStartKey: start }),
  });
  const { Items = [], LastEvaluatedKey } = await withRetries(() => documents.send(request), retryDelays);
  return { Items, LastEvaluatedKey };
};

/** Of a transaction the rows to others stay in the engine. */
const inIndex = (asked: DeliveryPageAsked) => {
  const { clientId, uuid, limit } = asked;
  const [name, value] = uuid === undefined ? ['clientId', clientId] : ['uuid', uuid];
  const { first, last } = timesOf(asked);
  const within = {
    KeyConditionExpression: '#value = :value AND #claimedAtMs BETWEEN :first AND :last',
    ExpressionAttributeNames: { '#value': name, '#claimedAtMs': 'claimedAtMs' },
    ExpressionAttributeValues: { ':value': value, ':first': first, ':last': last },
  };
  if (uuid === undefined) return { ...within, IndexName: 'byPartner', Limit: limit };
  return {
    ...within,
    IndexName: 'byTransaction',
    FilterExpression: '#sk = :sk',
    ExpressionAttributeNames: { ...within.ExpressionAttributeNames, '#sk': 'sk' },
    ExpressionAttributeValues: {
      ...within.ExpressionAttributeValues,
      ':sk': deliveryKey({ eventId: '', clientId }).sk,
    },
  };
};

/** A place that names no event bounds the times themselves. */
const timesOf = ({
  sinceMs = 0,
  untilMs = Number.MAX_SAFE_INTEGER,
  after,
  oldestFirst,
}: DeliveryPageAsked) => {
  const bound = after?.eventId === undefined ? after?.claimedAtMs : undefined;
  return {
    first: oldestFirst ? Math.max(sinceMs, bound ?? 0) : sinceMs,
    last: oldestFirst ? untilMs - 1 : Math.min(untilMs - 1, bound ?? untilMs),
  };
};
