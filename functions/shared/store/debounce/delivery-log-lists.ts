import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Delivery } from '../../domain/event/delivery.ts';
import type { TransactionEvent } from '../../domain/event/event.ts';
import { chunksOf } from '../../runtime/chunks.ts';
import { pagesOf } from '../dynamodb/pages.ts';
import { eventOf } from './delivery-log-items.ts';
import {
  deliveriesTo,
  type EventPlace,
  isThere,
  readDeliveries,
  readEvent,
  readHeads,
} from './delivery-log-reads.ts';
import type { DeliveryLogSpan, TransactionSpan } from './delivery-log-store.ts';
import { type DebounceKey, eventIdOfKey } from './keys.ts';
import type { DebounceAccess } from './update.ts';

/** Deliveries of a partner with a row, newest first; a new one may appear in the index late. */
export async function* deliveriesOfPartner(
  access: DebounceAccess,
  clientId: string,
  { sinceMs = 0, untilMs = Number.MAX_SAFE_INTEGER }: DeliveryLogSpan,
): AsyncGenerator<Delivery> {
  if (sinceMs >= untilMs) return;
  const asked = { value: clientId, firstMs: sinceMs, lastMs: untilMs - 1 };
  const query = { ...inIndex('byPartner', asked), Limit: rowsAtOnce, ScanIndexForward: false };
  for await (const page of pagesOf(access, { TableName: access.debounceTable, ...query })) {
    yield* await readDeliveries(access, page as DebounceKey[]);
  }
}

/** Deliveries of a transaction, newest first, to one partner or to all. */
export async function* deliveriesOfTransaction(
  access: DebounceAccess,
  uuid: string,
  { clientId, ...span }: TransactionSpan,
): AsyncGenerator<Delivery> {
  for await (const events of placesOf(access, uuid, span)) {
    if (clientId !== undefined) yield* await deliveriesTo(access, clientId, events);
    else yield* await deliveriesOfAll(access, events);
  }
}

const eventsAtOnce = 10;

const deliveriesOfAll = async (access: DebounceAccess, events: readonly EventPlace[]) => {
  const found: Delivery[] = [];
  for (const some of chunksOf(events, eventsAtOnce)) {
    const read = await Promise.all(some.map(({ pk }) => readEvent(access, eventIdOfKey({ pk }))));
    found.push(...read.flatMap((one) => one?.deliveries ?? []));
  }
  return found;
};

/** All events of a transaction, newest first. */
export async function* eventsOfTransaction(
  access: DebounceAccess,
  uuid: string,
): AsyncGenerator<TransactionEvent> {
  for await (const events of placesOf(access, uuid, {})) {
    const heads = await readHeads(access, events);
    const inOrder = events.flatMap(({ pk }) => heads.get(pk) ?? []);
    yield* inOrder.filter((item) => isThere(access, item)).map(eventOf);
  }
}

const rowsAtOnce = 100;

/** Index entries of a transaction's events, newest first, in parts that are read together. */
async function* placesOf(
  access: DebounceAccess,
  uuid: string,
  { sinceMs = 0, untilMs = Number.MAX_SAFE_INTEGER, atMostPages = Number.POSITIVE_INFINITY }: TransactionSpan,
): AsyncGenerator<readonly EventPlace[]> {
  if (sinceMs >= untilMs) return;
  const query = eventsOf(uuid, { firstMs: sinceMs, lastMs: untilMs - 1 });
  let pagesRead = 0;
  for await (const page of pagesOf(access, {
    TableName: access.debounceTable,
    ...query,
    ScanIndexForward: false,
  })) {
    yield* chunksOf(page as EventPlace[], rowsAtOnce);
    pagesRead += 1;
    if (pagesRead >= atMostPages) return;
  }
}

/** Times of claims in milliseconds, both inclusive. */
type Times = { firstMs: number; lastMs: number };

/** The index by transaction has events only. */
export const eventsOf = (uuid: string, times: Times) => ({
  ...inIndex('byTransaction', { value: uuid, ...times }),
  Limit: 1_000,
});

const partitionOf = { byPartner: 'clientId', byTransaction: 'uuid' } as const;

/** A query on an index of the delivery log by time. */
export const inIndex = (
  index: keyof typeof partitionOf,
  { value, firstMs, lastMs }: { value: string } & Times,
) =>
  ({
    IndexName: index,
    KeyConditionExpression: '#value = :value AND #claimedAtMs BETWEEN :first AND :last',
    ExpressionAttributeNames: { '#value': partitionOf[index], '#claimedAtMs': 'claimedAtMs' },
    ExpressionAttributeValues: { ':value': value, ':first': firstMs, ':last': lastMs },
  }) satisfies Omit<QueryCommandInput, 'TableName'>;
