import type { EventType } from '../../../functions/shared/domain/event/event.ts';
import { elementsOf, eventIdOf } from '../../../functions/shared/domain/event/event.ts';
import { renderMessages } from '../../../functions/shared/domain/event/message.ts';
import type {
  JsonObject,
  StoredTransaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';

export const origin = { source: 'svc.local.online-payments', region: 'eu-west-2' };

/** What an event says of a state's changes after version `from`. */
export const eventOf = (
  stored: StoredTransaction,
  from: number,
  type: EventType = 'TransactionUpdated',
): ReturnType<typeof renderMessages> => {
  const { uuid } = stored.transaction;
  const facts = {
    eventId: eventIdOf('local', type, uuid, { from, to: stored.version }),
    type,
    publishedAt: new Date(stored.updatedAtMs + 120_000),
    elements: elementsOf(type, stored, from),
  };
  return renderMessages(facts, stored.transaction, origin);
};

/** A message as its receiver reads it. */
export const messageIn = (body: string) => JSON.parse(body) as JsonObject & { detail: JsonObject };
