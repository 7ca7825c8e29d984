import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Delivery } from '../../domain/event/delivery.ts';
import { chunksOf } from '../../runtime/chunks.ts';
import { withRetries } from '../dynamodb/retry.ts';
import { eventsOf, inIndex } from './delivery-log-lists.ts';
import { deliveriesTo, type EventPlace, readDeliveries } from './delivery-log-reads.ts';
import type {
  DeliveryLogPages,
  DeliveryLogPosition,
  DeliveryPage,
  DeliveryPageAsked,
} from './delivery-log-store.ts';
import { deliveryKey, eventIdOfKey, eventKey } from './keys.ts';
import type { DebounceAccess } from './update.ts';

/** Five thousand index entries. */
const mostQueries = 5;
/** Events that a page of a transaction checks; fifty events of others cost two reads. */
const mostEvents = 250;

/** Pages of the delivery log in DynamoDB. */
export const createDeliveryLogPages = (access: DebounceAccess): DeliveryLogPages => ({
  deliveryPage: async (asked) => {
    const where = startIn(asked);
    if (!where) return { deliveries: [] };
    return where.uuid === undefined ? pageOfPartner(access, where) : pageOfTransaction(access, where);
  },
});

/**
 * The rest to read: a place before the span starts at its beginning, one after it ends it. DynamoDB refuses a span that ends
 * before it starts, and a cursor may be older than the span of 30 days.
 */
const startIn = (asked: DeliveryPageAsked): DeliveryPageAsked | undefined => {
  const { firstMs, lastMs } = timesOf(asked);
  if (firstMs > lastMs) return undefined;
  const { after, oldestFirst, ...anew } = asked;
  const at = after?.eventId === undefined ? undefined : after.claimedAtMs;
  if (at === undefined || (at >= firstMs && at <= lastMs)) return asked;
  const isBehind = oldestFirst ? at > lastMs : at < firstMs;
  return isBehind ? undefined : { ...anew, ...(oldestFirst && { oldestFirst }) };
};

/** One Query of the partner's index, and one read of its rows. */
const pageOfPartner = async (access: DebounceAccess, asked: DeliveryPageAsked): Promise<DeliveryPage> => {
  const { clientId, limit } = asked;
  const query = { ...inIndex('byPartner', { value: clientId, ...timesOf(asked) }), Limit: limit };
  const { rows, isMore } = await queryIndex(access, { asked, query, start: startOf(asked) });
  const deliveries = await readDeliveries(access, rows);
  const next = isMore ? positionOf(rows.at(-1)) : undefined;
  return { deliveries, ...(next && { next }) };
};

/** The events of the transaction, and the delivery of each to the partner. */
const pageOfTransaction = async (access: DebounceAccess, asked: DeliveryPageAsked): Promise<DeliveryPage> => {
  const { uuid = '' } = asked;
  const query = eventsOf(uuid, timesOf(asked));
  const found: Delivery[] = [];
  let start = startOf(asked);
  let looked = 0;
  for (let queries = 1; ; queries += 1) {
    const { rows, isMore, end } = await queryIndex(access, { asked, query, start });
    for (const some of chunksOf(rows, asked.limit)) {
      found.push(...(await deliveriesTo(access, asked.clientId, some)));
      if (found.length > asked.limit) return pageOf(found, asked.limit);
      looked += some.length;
      const next = looked >= mostEvents ? positionOf(some.at(-1)) : undefined;
      if (next) return { deliveries: found, next };
    }
    if (!isMore) return { deliveries: found };
    if (found.length === asked.limit) return pageOf(found, asked.limit);
    if (queries === mostQueries)
      return { deliveries: found, next: { claimedAtMs: Number(end?.claimedAtMs) } };
    start = end;
  }
};

/** A page with a following one. */
const pageOf = (found: readonly Delivery[], limit: number): DeliveryPage => {
  const deliveries = found.slice(0, limit);
  const last = deliveries.at(-1);
  return { deliveries, ...(last && { next: { claimedAtMs: last.claimedAtMs, eventId: last.eventId } }) };
};

const positionOf = (row: EventPlace | undefined): DeliveryLogPosition | undefined =>
  row && { claimedAtMs: row.claimedAtMs, eventId: eventIdOfKey(row) };

/** The place of a row in its index; the row may be gone. */
const startOf = ({ clientId, uuid, after }: DeliveryPageAsked): Record<string, unknown> | undefined => {
  if (after?.eventId === undefined) return undefined;
  const { eventId, claimedAtMs } = after;
  return uuid === undefined
    ? { ...deliveryKey({ eventId, clientId }), clientId, claimedAtMs }
    : { ...eventKey(eventId), uuid, claimedAtMs };
};

type IndexQuery = {
  asked: DeliveryPageAsked;
  query: ReturnType<typeof inIndex>;
  start: Record<string, unknown> | undefined;
};

const queryIndex = async (
  { documents, debounceTable, retryDelays }: DebounceAccess,
  { asked, query, start }: IndexQuery,
) => {
  const request = new QueryCommand({
    TableName: debounceTable,
    ...query,
    ScanIndexForward: asked.oldestFirst === true,
    ...(start && { ExclusiveStartKey: start }),
  });
  const { Items = [], LastEvaluatedKey: end } = await withRetries(() => documents.send(request), retryDelays);
  return { rows: Items as EventPlace[], isMore: end !== undefined, end };
};

/** A place without an event limits the times. */
const timesOf = ({
  sinceMs = 0,
  untilMs = Number.MAX_SAFE_INTEGER,
  after,
  oldestFirst,
}: DeliveryPageAsked) => {
  const bound = after?.eventId === undefined ? after?.claimedAtMs : undefined;
  return {
    firstMs: oldestFirst ? Math.max(sinceMs, bound ?? 0) : sinceMs,
    lastMs: oldestFirst ? untilMs - 1 : Math.min(untilMs - 1, bound ?? untilMs),
  };
};
