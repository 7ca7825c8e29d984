import type {
  EventBodies,
  EventType,
  TransactionEvent,
} from '../../../functions/shared/domain/event/event.ts';
import { elementsOf, eventIdOf } from '../../../functions/shared/domain/event/event.ts';
import { renderMessages } from '../../../functions/shared/domain/event/message.ts';
import type {
  JsonObject,
  StoredTransaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';

export const origin = { source: 'svc.local.online-payments', region: 'eu-west-2' };

/** An event as the delivery log keeps it; without recipients it has no bodies. */
export type StoredEvent = { event: TransactionEvent; bodies: EventBodies | undefined };

/** The event that covers a state's changes after version `from`, as a claim at `atMs` makes it. */
export const eventOf = (
  stored: StoredTransaction,
  from: number,
  {
    type = 'TransactionUpdated',
    atMs = stored.updatedAtMs + 120_000,
    recipients = ['P'],
  }: { type?: EventType; atMs?: number; recipients?: string[] } = {},
): StoredEvent & { bodies: NonNullable<StoredEvent['bodies']> } => {
  const range = { from, to: stored.version };
  const { uuid } = stored.transaction;
  const eventId = eventIdOf('local', type, uuid, range);
  const elements = elementsOf(type, stored, from);
  const facts = { eventId, type, publishedAt: new Date(atMs), elements };
  const { bodies, omitted } = renderMessages(facts, stored.transaction, origin);
  const covered = { eventId, type, uuid, ...range, elements: [...elements], omitted, recipients };
  return { event: { ...covered, changedAtMs: stored.updatedAtMs, claimedAtMs: atMs }, bodies };
};

/** A message as its receiver reads it. */
export const messageIn = (body: string) => JSON.parse(body) as JsonObject & { detail: JsonObject };
