import { GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Delivery, DeliveryKey } from '../../domain/event/delivery.ts';
import type { EventBodies, TransactionEvent } from '../../domain/event/event.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { withRetries } from '../dynamodb/retry.ts';
import {
  bodyKey,
  type DebounceKey,
  deliveryKey,
  eventPartition,
  isDeliveryKey,
  isEventKey,
  isExpired,
} from './keys.ts';
import { type DebounceItem, deliveryOf, eventOf } from './ledger-items.ts';
import type { LedgerEvent, LedgerSpan } from './ledger-store.ts';
import { type DebouncePlace, namesIn } from './update.ts';

/** One Query: an event's row, its bodies and its deliveries are one partition. */
export const readEvent = async (place: DebouncePlace, eventId: string): Promise<LedgerEvent | undefined> => {
  const condition = '#pk = :pk';
  const items: DebounceItem[] = [];
  for await (const page of pagesOf(place, {
    KeyConditionExpression: condition,
    ExpressionAttributeNames: namesIn(condition),
    ExpressionAttributeValues: { ':pk': eventPartition(eventId) },
    ConsistentRead: true,
  }))
    items.push(...page.filter((item) => isThere(place, item)));
  const head = items.find(isEventKey);
  if (!head) return undefined;
  return {
    event: eventOf(head),
    bodies: bodiesOf(eventId, items),
    deliveries: items.filter(isDeliveryKey).map(deliveryOf),
  };
};

const bodiesOf = (eventId: string, items: readonly DebounceItem[]): EventBodies | undefined => {
  const textAt = ({ sk }: DebounceKey) => items.find((item) => item.sk === sk)?.message;
  const plain = textAt(bodyKey(eventId, 'plain'));
  const tokens = textAt(bodyKey(eventId, 'tokens'));
  return plain === undefined ? undefined : { plain, ...(tokens !== undefined && { tokens }) };
};

/** A delivery as it stands now, strongly consistent. */
export const getDelivery = async (place: DebouncePlace, key: DeliveryKey): Promise<Delivery | undefined> => {
  const { documents, debounceTable, patience } = place;
  const request = new GetCommand({ TableName: debounceTable, Key: deliveryKey(key), ConsistentRead: true });
  const { Item } = await withRetries(() => documents.send(request), patience);
  return Item && isThere(place, Item) ? deliveryOf(Item as DebounceItem) : undefined;
};

/** Deliveries that an index finds, each as it stands now; a new one may come into the index late. */
export async function* listDeliveries(
  place: DebouncePlace,
  asked: IndexAsked,
  span: LedgerSpan,
): AsyncGenerator<Delivery> {
  for await (const items of listRows(place, asked, { span, isWanted: isDeliveryKey }))
    yield* items.map(deliveryOf);
}

/** All events of a transaction, each as it stands now. */
export async function* listEvents(place: DebouncePlace, uuid: string): AsyncGenerator<TransactionEvent> {
  const asked = { index: 'byTransaction', name: 'uuid', value: uuid } as const;
  for await (const items of listRows(place, asked, { span: {}, isWanted: isEventKey }))
    yield* items.map(eventOf);
}

export type IndexAsked =
  | { index: 'byPartner'; name: 'clientId'; value: string }
  | { index: 'byTransaction'; name: 'uuid'; value: string };

type Wanted = { span: LedgerSpan; isWanted: (key: DebounceKey) => boolean };

/** Newest first; a page of the index is one BatchGetItem. */
async function* listRows(
  place: DebouncePlace,
  { index, name, value }: IndexAsked,
  { span: { sinceMs = 0, untilMs = Number.MAX_SAFE_INTEGER }, isWanted }: Wanted,
): AsyncGenerator<DebounceItem[]> {
  if (sinceMs >= untilMs) return;
  const { documents, debounceTable, patience } = place;
  const pages = pagesOf(place, {
    IndexName: index,
    KeyConditionExpression: '#value = :value AND #claimedAtMs BETWEEN :since AND :last',
    ExpressionAttributeNames: { '#value': name, '#claimedAtMs': 'claimedAtMs' },
    ExpressionAttributeValues: { ':value': value, ':since': sinceMs, ':last': untilMs - 1 },
    ScanIndexForward: false,
    Limit: 100,
  });
  for await (const page of pages) {
    const keys = page.filter(isWanted).map(({ pk, sk }) => ({ pk, sk }));
    const found = await batchGet(documents, { table: debounceTable, keys }, patience);
    const byKey = new Map(found.map((item) => [`${item.pk}/${item.sk}`, item as DebounceItem]));
    const inOrder = keys.flatMap(({ pk, sk }) => byKey.get(`${pk}/${sk}`) ?? []);
    yield inOrder.filter((item) => isThere(place, item));
  }
}

async function* pagesOf(
  { documents, debounceTable, patience }: DebouncePlace,
  query: Omit<QueryCommandInput, 'TableName'>,
): AsyncGenerator<DebounceItem[]> {
  let start: QueryCommandInput['ExclusiveStartKey'];
  do {
    const request = new QueryCommand({
      TableName: debounceTable,
      ...query,
      ...(start && { ExclusiveStartKey: start }),
    });
    const { Items = [], LastEvaluatedKey } = await withRetries(() => documents.send(request), patience);
    yield Items as DebounceItem[];
    start = LastEvaluatedKey;
  } while (start);
}

const isThere = ({ clock }: DebouncePlace, item: { expiresAt?: number }) => !isExpired(item, clock());
