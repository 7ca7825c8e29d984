import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { DeliveryKey } from '../../domain/event/delivery.ts';
import { chunksOf } from '../../runtime/chunks.ts';
import { conditionHeld } from '../dynamodb/failure.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { PutStatement } from '../dynamodb/statement.ts';
import { deliveryKey, secondsOf } from './keys.ts';
import { type DebounceItem, deliveryItem, eventItems } from './ledger-items.ts';
import { getDelivery, listDeliveries, listEvents, readEvent } from './ledger-reads.ts';
import type { Attempt, DeliveryMove, LedgerStore } from './ledger-store.ts';
import {
  deliveredUpdate,
  leaseUpdate,
  moveUpdate,
  noteUpdate,
  refusalUpdate,
  rescheduleDeliveryUpdate,
} from './ledger-updates.ts';
import { type DebounceAccess, type RowUpdate, updateRow } from './update.ts';

/**
 * The ledger over DynamoDB. After a lost answer a refusal may count twice and a line of the timeline stand there twice; a
 * move knows its own, and a delivery that was leased without an answer is found again when its lease ends.
 */
export const createLedgerStore = (access: DebounceAccess): LedgerStore => {
  const change = (key: DeliveryKey, asked: RowUpdate) => updateRow(access, deliveryKey(key), asked);

  return {
    event: (eventId) => readEvent(access, eventId),
    delivery: (key) => getDelivery(access, key),
    addMissing: (added) => addMissing(access, added),
    move: (move) => moveDelivery(access, move),
    refused: async (key, entry) => {
      const refused = await change(key, refusalUpdate(entry));
      if (refused.isDone) return Number(refused.attributes.refusals);
      throw new Error(`The ledger has no delivery of ${key.eventId} to ${key.clientId}, which was refused`);
    },
    lease: async (delivery, lease) => (await change(delivery, leaseUpdate(delivery, lease))).isDone,
    reschedule: async (delivery, dueAtMs) =>
      (await change(delivery, rescheduleDeliveryUpdate(delivery, dueAtMs))).isDone,
    recordAttempt: (attempt) => recordAttempt(access, attempt),
    deliveriesOfPartner: (clientId, span) =>
      listDeliveries(access, { index: 'byPartner', name: 'clientId', value: clientId }, span),
    deliveriesOfTransaction: (uuid, span) =>
      listDeliveries(access, { index: 'byTransaction', name: 'uuid', value: uuid }, span),
    eventsOfTransaction: (uuid) => listEvents(access, uuid),
  };
};

const putsAtOnce = 25;

/** The event first, so that no delivery is without it. */
const addMissing = async (
  access: DebounceAccess,
  { event, bodies, deliveries }: Parameters<LedgerStore['addMissing']>[0],
) => {
  const now = access.clock();
  if (event) await addEvent(access, eventItems(event, bodies), now);
  const items = deliveries.map((delivery) => deliveryItem(delivery, now));
  for (const part of chunksOf(items, putsAtOnce))
    await Promise.all(
      part.map((item) =>
        addUnlessThere(access, () => access.documents.send(new PutCommand(putMissing(access, item, now)))),
      ),
    );
};

/** An event with its bodies, or none of them. */
const addEvent = async (access: DebounceAccess, [head, ...bodies]: DebounceItem[], now: Date) => {
  if (!head) return;
  const request = new TransactWriteCommand({
    TransactItems: [
      { Put: putMissing(access, head, now) },
      ...bodies.map((Item) => ({ Put: { TableName: access.debounceTable, Item } })),
    ],
    ClientRequestToken: randomUUID(),
  });
  await addUnlessThere(access, () => access.documents.send(request));
};

/** Adds what is not there; what is there stays as it is. */
const addUnlessThere = async ({ retryDelays }: DebounceAccess, send: () => Promise<unknown>) => {
  await conditionHeld(withRetries(send, retryDelays));
};

const putMissing = ({ debounceTable }: DebounceAccess, Item: DebounceItem, now: Date): PutStatement => ({
  TableName: debounceTable,
  Item,
  ConditionExpression: 'attribute_not_exists(#pk) OR #expiresAt <= :nowSeconds',
  ExpressionAttributeNames: { '#pk': 'pk', '#expiresAt': 'expiresAt' },
  ExpressionAttributeValues: { ':nowSeconds': secondsOf(now.getTime()) },
});

/** After a lost answer, a delivery whose last line is that of this move was moved by it. */
const moveDelivery = async (access: DebounceAccess, move: DeliveryMove) => {
  const moved = await updateRow(access, deliveryKey(move), moveUpdate(move));
  if (moved.isDone) return true;
  if (!moved.perhapsDone) return false;
  const delivery = await getDelivery(access, move);
  return isDeepStrictEqual(delivery?.timeline.at(-1), move.entry);
};

const recordAttempt = async (access: DebounceAccess, attempt: Attempt) => {
  const key = deliveryKey(attempt);
  const isDone = attempt.isDelivered && (await updateRow(access, key, deliveredUpdate(attempt))).isDone;
  if (!isDone) await updateRow(access, key, noteUpdate(attempt));
};
