import type { StoredTransaction } from '../transaction/transaction.ts';
import {
  type EventBodies,
  type EventType,
  elementsOf,
  eventIdOf,
  type TransactionEvent,
  type VersionRange,
} from './event.ts';
import { type MessageOrigin, renderMessages } from './message.ts';

/** What the event covers, and its recipients. */
export type EventContent = {
  stored: StoredTransaction;
  type: EventType;
  range: VersionRange;
  /** Client ids. */
  recipients: string[];
};

/** An event with the present values of its transaction, and its bodies. */
export const presentEvent = (
  { stored, type, range, recipients }: EventContent,
  { stage, origin, nowMs }: { stage: string; origin: MessageOrigin; nowMs: number },
): { event: TransactionEvent; bodies: EventBodies } => {
  const { transaction, updatedAtMs } = stored;
  const { uuid } = transaction;
  const eventId = eventIdOf(stage, type, uuid, range);
  const elements = elementsOf(type, stored, range.from);
  const facts = { eventId, type, publishedAt: new Date(nowMs), elements };
  const { bodies, omitted } = renderMessages(facts, transaction, origin);
  const covered = { eventId, type, uuid, ...range, elements, omitted, recipients };
  return { event: { ...covered, changedAtMs: updatedAtMs, claimedAtMs: nowMs }, bodies };
};
