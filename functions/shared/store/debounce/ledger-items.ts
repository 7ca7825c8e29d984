import type { Delivery } from '../../domain/event/delivery.ts';
import type { EventBodies, TransactionEvent } from '../../domain/event/event.ts';
import {
  bodyKey,
  type DebounceKey,
  deliveryExpiresAt,
  deliveryKey,
  dueShardText,
  eventExpiresAt,
  eventIdOfKey,
  eventKey,
} from './keys.ts';

export type DebounceItem = DebounceKey & { expiresAt?: number; message?: string; [name: string]: unknown };

/** An event's own row and its bodies; they expire together. */
export const eventItems = (event: TransactionEvent, bodies: EventBodies | undefined): DebounceItem[] => {
  const { eventId, ...facts } = withoutEmptyUuid(event);
  const expiresAt = eventExpiresAt(event);
  const variants = (['plain', 'tokens'] as const).flatMap((variant) => {
    const message = bodies?.[variant];
    return message === undefined ? [] : [{ ...bodyKey(eventId, variant), message, expiresAt }];
  });
  return [{ ...eventKey(eventId), ...facts, expiresAt }, ...variants];
};

/** A delivery expires only when it has ended and is not scheduled (I12). */
export const deliveryItem = ({ eventId, ...delivery }: Delivery, now: Date): DebounceItem => {
  const expiresAt = deliveryExpiresAt(delivery, now.getTime());
  return {
    ...deliveryKey({ eventId, clientId: delivery.clientId }),
    ...withoutEmptyUuid(delivery),
    dueShard: dueShardText(eventId),
    ...(expiresAt !== undefined && { expiresAt }),
  };
};

/** What is of no transaction is not in the index of those: a key of an index may not be empty. */
const withoutEmptyUuid = <Row extends { uuid: string }>({ uuid, ...row }: Row) => ({
  ...(uuid !== '' && { uuid }),
  ...row,
});

/** Only this module makes such rows, so their shape is trusted. */
export const eventOf = ({ pk, sk: _sk, expiresAt: _expiry, ...facts }: DebounceItem) =>
  ({ uuid: '', eventId: eventIdOfKey({ pk }), ...facts }) as TransactionEvent;

export const deliveryOf = ({
  pk,
  sk: _sk,
  expiresAt: _expiry,
  dueShard: _shard,
  ...delivery
}: DebounceItem) => ({ uuid: '', eventId: eventIdOfKey({ pk }), ...delivery }) as Delivery;
