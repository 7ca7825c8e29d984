import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { DeliveryKey } from '../../domain/event/delivery.ts';
import { chunksOf } from '../dynamodb/batch-get.ts';
import { failureOf, realPatience, withRetries } from '../dynamodb/retry.ts';
import type { PutStatement } from '../dynamodb/statement.ts';
import { deliveryKey, secondsOf } from './keys.ts';
import { type DebounceItem, deliveryItem, eventItems } from './ledger-items.ts';
import { getDelivery, listDeliveries, listEvents, readEvent } from './ledger-reads.ts';
import type { Attempt, DeliveryMove, LedgerStore } from './ledger-store.ts';
import { deliveredChange, moveChange, noteChange, refusedChange, takeUpChange } from './ledger-updates.ts';
import { type Change, changeRow, type DebouncePlace } from './update.ts';

type LedgerDeps = Omit<DebouncePlace, 'patience'> & Partial<Pick<DebouncePlace, 'patience'>>;

/**
 * The ledger over DynamoDB. After a lost answer a refusal may count twice and a line of the timeline stand there twice; a
 * move knows its own, and a delivery that was taken up without an answer is found again when its lease ends.
 */
export const createLedgerStore = (deps: LedgerDeps): LedgerStore => {
  const place: DebouncePlace = { patience: realPatience, ...deps };
  const change = (key: DeliveryKey, asked: Change) => changeRow(place, deliveryKey(key), asked);

  return {
    event: (eventId) => readEvent(place, eventId),
    delivery: (key) => getDelivery(place, key),
    addMissing: (added) => addMissing(place, added),
    move: (move) => moveDelivery(place, move),
    refused: async (key, entry) => {
      const refused = await change(key, refusedChange(entry));
      if (refused.isDone) return Number(refused.attributes.refusals);
      throw new Error(`The ledger has no delivery of ${key.eventId} to ${key.clientId}, which was refused`);
    },
    takeUp: async (delivery, lease) => (await change(delivery, takeUpChange(delivery, lease))).isDone,
    recordAttempt: (attempt) => recordAttempt(place, attempt),
    deliveriesOfPartner: (clientId, span) =>
      listDeliveries(place, { index: 'byPartner', name: 'clientId', value: clientId }, span),
    deliveriesOfTransaction: (uuid, span) =>
      listDeliveries(place, { index: 'byTransaction', name: 'uuid', value: uuid }, span),
    eventsOfTransaction: (uuid) => listEvents(place, uuid),
  };
};

const putsAtOnce = 25;

/** The event first, so that no delivery is without it. */
const addMissing = async (
  place: DebouncePlace,
  { event, bodies, deliveries }: Parameters<LedgerStore['addMissing']>[0],
) => {
  const now = place.clock();
  if (event) await addEvent(place, eventItems(event, bodies), now);
  const items = deliveries.map((delivery) => deliveryItem(delivery, now));
  for (const part of chunksOf(items, putsAtOnce))
    await Promise.all(
      part.map((item) =>
        unlessThere(() => place.documents.send(new PutCommand(putMissing(place, item, now))), place),
      ),
    );
};

/** An event with its bodies, or none of them. */
const addEvent = async (place: DebouncePlace, [head, ...bodies]: DebounceItem[], now: Date) => {
  if (!head) return;
  const request = new TransactWriteCommand({
    TransactItems: [
      { Put: putMissing(place, head, now) },
      ...bodies.map((Item) => ({ Put: { TableName: place.debounceTable, Item } })),
    ],
    ClientRequestToken: randomUUID(),
  });
  await unlessThere(() => place.documents.send(request), place);
};

const unlessThere = async (send: () => Promise<unknown>, { patience }: DebouncePlace) => {
  try {
    await withRetries(send, patience);
  } catch (error) {
    if (failureOf(error) !== 'condition-failed') throw error;
  }
};

const putMissing = ({ debounceTable }: DebouncePlace, Item: DebounceItem, now: Date): PutStatement => ({
  TableName: debounceTable,
  Item,
  ConditionExpression: 'attribute_not_exists(#pk) OR #expiresAt <= :nowSeconds',
  ExpressionAttributeNames: { '#pk': 'pk', '#expiresAt': 'expiresAt' },
  ExpressionAttributeValues: { ':nowSeconds': secondsOf(now.getTime()) },
});

/** After a lost answer, a delivery whose last line is that of this move was moved by it. */
const moveDelivery = async (place: DebouncePlace, move: DeliveryMove) => {
  const moved = await changeRow(place, deliveryKey(move), moveChange(move));
  if (moved.isDone) return true;
  if (!moved.perhapsDone) return false;
  const delivery = await getDelivery(place, move);
  return isDeepStrictEqual(delivery?.timeline.at(-1), move.entry);
};

const recordAttempt = async (place: DebouncePlace, attempt: Attempt) => {
  const key = deliveryKey(attempt);
  const isDone = attempt.isDelivered && (await changeRow(place, key, deliveredChange(attempt))).isDone;
  if (!isDone) await changeRow(place, key, noteChange(attempt));
};
