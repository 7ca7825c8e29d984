import type { Delivery, DeliveryKey } from '../../domain/event/delivery.ts';
import type { EventBodies, TransactionEvent } from '../../domain/event/event.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { pagesOf } from '../dynamodb/pages.ts';
import { withRetries } from '../dynamodb/retry.ts';
import {
  bodyKey,
  type DebounceKey,
  deliveryKey,
  eventPartition,
  isDeliveryKey,
  isDeliveryKeyTo,
  isEventKey,
  isExpired,
} from './keys.ts';
import { type DebounceItem, deliveryOf, eventOf } from './ledger-items.ts';
import type { LedgerEvent, LedgerSpan, TransactionSpan } from './ledger-store.ts';
import { type DebounceAccess, namesIn } from './update.ts';

/** One Query: an event's row, its bodies and its deliveries are one partition. */
export const readEvent = async (
  access: DebounceAccess,
  eventId: string,
): Promise<LedgerEvent | undefined> => {
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
export const getDelivery = async (
  access: DebounceAccess,
  key: DeliveryKey,
): Promise<Delivery | undefined> => {
  const { documents, debounceTable, retryDelays } = access;
  const request = consistentGet(debounceTable, deliveryKey(key));
  const { Item } = await withRetries(() => documents.send(request), retryDelays);
  return Item && isThere(access, Item) ? deliveryOf(Item as DebounceItem) : undefined;
};

/** Deliveries that an index finds, each as it stands now; a new one may come into the index late. */
export async function* listDeliveries(
  access: DebounceAccess,
  asked: IndexAsked,
  { clientId, atMostPages, ...span }: TransactionSpan,
): AsyncGenerator<Delivery> {
  const wanted =
    clientId === undefined
      ? { isWanted: isDeliveryKey }
      : {
          isWanted: (key: DebounceKey) => isDeliveryKeyTo(key, clientId),
          sk: deliveryKey({ eventId: '', clientId }).sk,
        };
  for await (const items of listRows(access, asked, { span, atMostPages, ...wanted }))
    yield* items.map(deliveryOf);
}

/** All events of a transaction, each as it stands now. */
export async function* listEvents(access: DebounceAccess, uuid: string): AsyncGenerator<TransactionEvent> {
  const asked = { index: 'byTransaction', name: 'uuid', value: uuid } as const;
  for await (const items of listRows(access, asked, { span: {}, isWanted: isEventKey }))
    yield* items.map(eventOf);
}

export type IndexAsked =
  | { index: 'byPartner'; name: 'clientId'; value: string }
  | { index: 'byTransaction'; name: 'uuid'; value: string };

type RowFilter = {
  span: LedgerSpan;
  isWanted: (key: DebounceKey) => boolean;
  /** The only sort key that is wanted: all others stay in the engine. */
  sk?: string;
  atMostPages?: number | undefined;
};

/** Newest first; a page of the index is one BatchGetItem, or what is wanted of 1 MB. */
async function* listRows(
  access: DebounceAccess,
  asked: IndexAsked,
  { span, isWanted, sk, atMostPages = Number.POSITIVE_INFINITY }: RowFilter,
): AsyncGenerator<DebounceItem[]> {
  const { sinceMs = 0, untilMs = Number.MAX_SAFE_INTEGER } = span;
  if (sinceMs >= untilMs) return;
  const all = claimedBetween(asked, sinceMs, untilMs);
  const query = sk === undefined ? { ...all, Limit: 100 } : onlyWith(sk, all);
  let pagesRead = 0;
  for await (const page of pagesOf(access, { TableName: access.debounceTable, ...query })) {
    const keys = (page as DebounceItem[]).filter(isWanted).map(({ pk, sk }) => ({ pk, sk }));
    const found = await batchGet(access, { table: access.debounceTable, keys });
    const byKey = new Map(found.map((item) => [`${item.pk}/${item.sk}`, item as DebounceItem]));
    const inOrder = keys.flatMap(({ pk, sk }) => byKey.get(`${pk}/${sk}`) ?? []);
    yield inOrder.filter((item) => isThere(access, item));
    pagesRead += 1;
    if (pagesRead >= atMostPages) return;
  }
}

const claimedBetween = ({ index, name, value }: IndexAsked, sinceMs: number, untilMs: number) => ({
  IndexName: index,
  KeyConditionExpression: '#value = :value AND #claimedAtMs BETWEEN :since AND :last',
  ExpressionAttributeNames: { '#value': name, '#claimedAtMs': 'claimedAtMs' },
  ExpressionAttributeValues: { ':value': value, ':since': sinceMs, ':last': untilMs - 1 },
  ScanIndexForward: false,
});

const onlyWith = (sk: string, query: ReturnType<typeof claimedBetween>) => ({
  ...query,
  FilterExpression: '#sk = :sk',
  ExpressionAttributeNames: { ...query.ExpressionAttributeNames, '#sk': 'sk' },
  ExpressionAttributeValues: { ...query.ExpressionAttributeValues, ':sk': sk },
});

const isThere = ({ clock }: DebounceAccess, item: { expiresAt?: number }) => !isExpired(item, clock());
