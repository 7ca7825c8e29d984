import { isDeepStrictEqual } from 'node:util';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Delivery, StatusEntry } from '../../domain/event/delivery.ts';
import { isPendingDelivery } from '../../domain/event/new-delivery.ts';
import type { PutStatement } from '../dynamodb/statement.ts';
import { type DebounceItem, deliveryItem } from './delivery-log-items.ts';
import { getDelivery } from './delivery-log-reads.ts';
import type { Attempt, DeliveryMove } from './delivery-log-store.ts';
import {
  deliveredUpdate,
  entryUpdate,
  movedDelivery,
  moveUpdate,
  refusalUpdate,
} from './delivery-log-updates.ts';
import { deliveryKey, secondsOf } from './keys.ts';
import { type DebounceAccess, type RowUpdateResult, updateRow, writeRow } from './update.ts';

/** Puts a row if there is none, or an expired one. */
export const putMissing = (
  { debounceTable }: Pick<DebounceAccess, 'debounceTable'>,
  Item: DebounceItem,
  now: Date,
): PutStatement => ({
  TableName: debounceTable,
  Item,
  ConditionExpression: 'attribute_not_exists(#pk) OR #expiresAt <= :nowSeconds',
  ExpressionAttributeNames: { '#pk': 'pk', '#expiresAt': 'expiresAt' },
  ExpressionAttributeValues: { ':nowSeconds': secondsOf(now.getTime()) },
});

/** Creates a delivery's row with its first status entry, if it has none. */
const putFirst = (access: DebounceAccess, delivery: Delivery, atMs: number): Promise<RowUpdateResult> => {
  const now = new Date(atMs);
  const request = new PutCommand(putMissing(access, deliveryItem(delivery, now), now));
  return writeRow(access.retryDelays, () => access.documents.send(request));
};

/**
 * Moves a delivery from one of the states `from`. The first status entry creates the row. Two writers may both believe to be
 * first, so a row is put only if there is none, and otherwise changed on its state (I16).
 */
export const moveDelivery = async (access: DebounceAccess, move: DeliveryMove): Promise<boolean> => {
  const { start, atMs, from } = move;
  const put = start && (await putFirst(access, movedDelivery(start, move), atMs));
  if (put?.isDone) return true;
  const update = await updateRow(access, deliveryKey(move), moveUpdate(move));
  if (update.isDone) return true;

  const isAnswerLost = update.perhapsDone || put?.perhapsDone === true;
  const isPerhapsPending = !start && from.includes('READY');
  if (!isAnswerLost && !isPerhapsPending) return false;
  const delivery = await getDelivery(access, move);
  // It has no row yet, or another writer has just created it: a second move settles both.
  if (delivery && isPerhapsPending && from.includes(delivery.state))
    return moveDelivery(access, { ...move, start: delivery });
  // After a lost answer, a delivery whose last entry is this move's was moved by it.
  return isAnswerLost && isDeepStrictEqual(delivery?.timeline.at(-1), move.entry);
};

/** Returns the new number of refusals. */
export const appendRefusal = async (
  access: DebounceAccess,
  delivery: Delivery,
  entry: StatusEntry,
): Promise<number> => {
  const first = { ...delivery, refusals: 1, timeline: [...delivery.timeline, entry] };
  if (isPendingDelivery(delivery) && (await putFirst(access, first, entry.atMs)).isDone) return 1;
  const refused = await updateRow(access, deliveryKey(delivery), refusalUpdate(entry));
  if (refused.isDone) return Number(refused.attributes.refusals);
  const { eventId, clientId } = delivery;
  throw new Error(`The delivery log has no delivery of ${eventId} to ${clientId}, which was refused`);
};

/** The bus may try before any status entry: then the row starts with this one. */
export const appendAttempt = async (access: DebounceAccess, attempt: Attempt): Promise<void> => {
  if (await addAttempt(access, attempt)) return;
  const delivery = await getDelivery(access, attempt);
  if (!delivery) return;
  const isFirst = isPendingDelivery(delivery);
  if (isFirst && (await putFirst(access, afterAttempt(delivery, attempt), attempt.atMs)).isDone) return;
  await addAttempt(access, attempt);
};

const addAttempt = async (access: DebounceAccess, attempt: Attempt): Promise<boolean> => {
  const key = deliveryKey(attempt);
  if (attempt.isDelivered && (await updateRow(access, key, deliveredUpdate(attempt))).isDone) return true;
  return (await updateRow(access, key, entryUpdate(attempt))).isDone;
};

const afterAttempt = (delivery: Delivery, { atMs, isDelivered, note }: Attempt): Delivery => ({
  ...delivery,
  state: isDelivered ? 'DELIVERED' : delivery.state,
  timeline: [...delivery.timeline, { atMs, step: isDelivered ? 'delivered' : 'attempted', note }],
});
