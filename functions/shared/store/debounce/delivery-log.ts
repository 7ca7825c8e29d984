import { randomUUID } from 'node:crypto';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { DeliveryKey } from '../../domain/event/delivery.ts';
import { chunksOf } from '../../runtime/chunks.ts';
import { conditionHeld } from '../dynamodb/failure.ts';
import { withRetries } from '../dynamodb/retry.ts';
import { type DebounceItem, deliveryItem, eventItems } from './delivery-log-items.ts';
import { deliveriesOfPartner, deliveriesOfTransaction, eventsOfTransaction } from './delivery-log-lists.ts';
import { getDelivery, readEvent } from './delivery-log-reads.ts';
import type { DeliveryLogStore } from './delivery-log-store.ts';
import { leaseUpdate, rescheduleDeliveryUpdate } from './delivery-log-updates.ts';
import { deliveryKey } from './keys.ts';
import { appendAttempt, appendRefusal, moveDelivery, putMissing } from './status-entries.ts';
import { type DebounceAccess, type RowUpdate, updateRow } from './update.ts';

/**
 * The delivery log in DynamoDB. After a lost answer a refusal may count twice, and a timeline entry appear twice. A move
 * recognises its own entry, and an unanswered lease ends by itself.
 */
export const createDeliveryLogStore = (access: DebounceAccess): DeliveryLogStore => {
  const change = (key: DeliveryKey, asked: RowUpdate) => updateRow(access, deliveryKey(key), asked);

  return {
    event: (eventId) => readEvent(access, eventId),
    delivery: (key) => getDelivery(access, key),
    addMissing: (added) => addMissing(access, added),
    move: (move) => moveDelivery(access, move),
    refused: (delivery, entry) => appendRefusal(access, delivery, entry),
    lease: async (delivery, lease) => (await change(delivery, leaseUpdate(delivery, lease))).isDone,
    reschedule: async (delivery, dueAtMs) =>
      (await change(delivery, rescheduleDeliveryUpdate(delivery, dueAtMs))).isDone,
    recordAttempt: (attempt) => appendAttempt(access, attempt),
    deliveriesOfPartner: (clientId, span) => deliveriesOfPartner(access, clientId, span),
    deliveriesOfTransaction: (uuid, span) => deliveriesOfTransaction(access, uuid, span),
    eventsOfTransaction: (uuid) => eventsOfTransaction(access, uuid),
  };
};

const rowsAtOnce = 25;

/**
 * Puts an event and its deliveries together, because a recipient without a row would count as pending. If one of them
 * exists, the missing ones follow one by one, the event first.
 */
const addMissing = async (
  access: DebounceAccess,
  { event, bodies, deliveries }: Parameters<DeliveryLogStore['addMissing']>[0],
): Promise<void> => {
  const now = access.clock();
  const items = deliveries.map((delivery) => deliveryItem(delivery, now));
  if (!event) return addDeliveries(access, items, now);
  const rows = eventItems(event, bodies);
  if (await addTogether(access, { rows, items }, now)) return;
  await addTogether(access, { rows, items: [] }, now);
  await addDeliveries(access, items, now);
};

const addDeliveries = async (access: DebounceAccess, items: readonly DebounceItem[], now: Date) => {
  for (const part of chunksOf(items, rowsAtOnce))
    await Promise.all(part.map((item) => conditionHeld(putRow(access, item, now))));
};

const putRow = ({ documents, retryDelays, ...access }: DebounceAccess, item: DebounceItem, now: Date) =>
  withRetries(() => documents.send(new PutCommand(putMissing(access, item, now))), retryDelays);

/** All of them, or none. */
const addTogether = (
  { documents, retryDelays, ...access }: DebounceAccess,
  { rows: [head, ...bodies], items }: { rows: DebounceItem[]; items: readonly DebounceItem[] },
  now: Date,
): Promise<boolean> => {
  const request = new TransactWriteCommand({
    TransactItems: [
      ...[...(head ? [head] : []), ...items].map((item) => ({ Put: putMissing(access, item, now) })),
      ...bodies.map((Item) => ({ Put: { TableName: access.debounceTable, Item } })),
    ],
    ClientRequestToken: randomUUID(),
  });
  return conditionHeld(withRetries(() => documents.send(request), retryDelays));
};
