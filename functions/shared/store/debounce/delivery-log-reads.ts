import type { Delivery, DeliveryKey } from '../../domain/event/delivery.ts';
import type { TransactionEvent } from '../../domain/event/event.ts';
import { newDelivery, pendingDeliveries } from '../../domain/event/new-delivery.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { pagesOf } from '../dynamodb/pages.ts';
import { withRetries } from '../dynamodb/retry.ts';
import { bodiesOf, type DebounceItem, deliveryOf, eventAttributes, eventOf } from './delivery-log-items.ts';
import type { DeliveryLogEvent } from './delivery-log-store.ts';
import {
  type DebounceKey,
  deliveryKey,
  eventIdOfKey,
  eventKey,
  eventPartition,
  isDeliveryKey,
  isEventKey,
  isExpired,
  mayBePending,
} from './keys.ts';
import { type DebounceAccess, namesIn } from './update.ts';

/** One Query: an event's row, bodies and deliveries are one partition. */
export const readEvent = async (
  access: DebounceAccess,
  eventId: string,
): Promise<DeliveryLogEvent | undefined> => {
  const items = await itemsOf(access, eventId);
  const head = items.find(isEventKey);
  if (!head) return undefined;
  const event = eventOf(head);
  const recorded = items.filter(isDeliveryKey).map(deliveryOf);
  const pending = mayBePending(event, access.clock()) ? pendingDeliveries(event, recorded) : [];
  return { event, bodies: bodiesOf(items), deliveries: [...recorded, ...pending].sort(byClientId) };
};

const itemsOf = async (access: DebounceAccess, eventId: string): Promise<DebounceItem[]> => {
  const condition = '#pk = :pk';
  const items: DebounceItem[] = [];
  const pages = pagesOf(access, {
    TableName: access.debounceTable,
    KeyConditionExpression: condition,
    ExpressionAttributeNames: namesIn(condition),
    ExpressionAttributeValues: { ':pk': eventPartition(eventId) },
    ConsistentRead: true,
  });
  for await (const page of pages)
    items.push(...(page as DebounceItem[]).filter((item) => isThere(access, item)));
  return items;
};

const byClientId = (one: Delivery, other: Delivery) =>
  one.clientId < other.clientId ? -1 : Number(one.clientId > other.clientId);

/** A delivery with strong consistency; without a row it follows from its event. */
export const getDelivery = async (
  access: DebounceAccess,
  key: DeliveryKey,
): Promise<Delivery | undefined> => {
  const { documents, debounceTable, retryDelays } = access;
  const request = consistentGet(debounceTable, deliveryKey(key));
  const { Item } = await withRetries(() => documents.send(request), retryDelays);
  if (Item) return isThere(access, Item) ? deliveryOf(Item as DebounceItem) : undefined;
  return pendingTo(key.clientId, await eventNotifiedTo(access, key), access);
};

/**
 * The event's row without bodies, if this partner is a recipient. Rows of other events stay in the engine, so that the
 * response time shows neither their existence nor their size or recipients.
 */
const eventNotifiedTo = async (
  access: DebounceAccess,
  { eventId, clientId }: DeliveryKey,
): Promise<DebounceItem | undefined> => {
  const { pk, sk } = eventKey(eventId);
  const condition = '#pk = :pk AND #sk = :sk';
  const isRecipient = 'contains(#recipients, :clientId)';
  const projection = eventAttributes.map((name) => `#${name}`).join(', ');
  const pages = pagesOf(access, {
    TableName: access.debounceTable,
    KeyConditionExpression: condition,
    FilterExpression: isRecipient,
    ProjectionExpression: projection,
    ExpressionAttributeNames: namesIn(`${condition} ${isRecipient} ${projection}`),
    ExpressionAttributeValues: { ':pk': pk, ':sk': sk, ':clientId': clientId },
    ConsistentRead: true,
  });
  for await (const [found] of pages) return found as DebounceItem | undefined;
  return undefined;
};

/** The pending delivery of an event to a recipient. */
const pendingTo = (
  clientId: string,
  head: DebounceItem | undefined,
  access: DebounceAccess,
): Delivery | undefined => {
  if (!head) return undefined;
  const event = eventOf(head);
  const isPendingDelivery = event.recipients.includes(clientId) && mayBePending(event, access.clock());
  return isPendingDelivery ? newDelivery(event, clientId) : undefined;
};

/** Deliveries of one partner with rows, in this order. */
export const readDeliveries = async (
  access: DebounceAccess,
  places: readonly DebounceKey[],
): Promise<Delivery[]> => {
  const keys = places.map(({ pk, sk }) => ({ pk, sk }));
  const found = await batchGet(access, { table: access.debounceTable, keys });
  const byPartition = new Map(found.map((item) => [item.pk, item as DebounceItem]));
  const inOrder = keys.flatMap(({ pk }) => byPartition.get(pk) ?? []);
  return inOrder.filter((item) => isThere(access, item)).map(deliveryOf);
};

/** An index entry of an event or of a delivery. */
export type EventPlace = DebounceKey & Pick<TransactionEvent, 'claimedAtMs'>;

/** The deliveries of some events to one partner, in the order of the events. */
export const deliveriesTo = async (
  access: DebounceAccess,
  clientId: string,
  events: readonly EventPlace[],
): Promise<Delivery[]> => {
  const table = access.debounceTable;
  const keys = events.map(({ pk }) => deliveryKey({ eventId: eventIdOfKey({ pk }), clientId }));
  const rows = new Map((await batchGet(access, { table, keys })).map((item) => [item.pk, item]));
  const others = events.filter((event) => !rows.has(event.pk) && mayBePending(event, access.clock()));
  const heads = await readHeads(access, others);
  return events.flatMap(({ pk }) => {
    const row = rows.get(pk) as DebounceItem | undefined;
    if (row) return isThere(access, row) ? [deliveryOf(row)] : [];
    return pendingTo(clientId, heads.get(pk), access) ?? [];
  });
};

/** The rows of some events without bodies, by partition. */
export const readHeads = async (
  access: DebounceAccess,
  events: readonly DebounceKey[],
): Promise<ReadonlyMap<string, DebounceItem>> => {
  const keys = events.map(({ pk, sk }) => ({ pk, sk }));
  const found = await batchGet(access, { table: access.debounceTable, keys, attributes: eventAttributes });
  return new Map((found as DebounceItem[]).map((item) => [item.pk, item]));
};

/** An expired row counts as gone, although DynamoDB removes it later. */
export const isThere = ({ clock }: DebounceAccess, item: { expiresAt?: number }) => !isExpired(item, clock());
