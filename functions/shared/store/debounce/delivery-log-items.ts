import type { Delivery } from '../../domain/event/delivery.ts';
import type { EventBodies, TransactionEvent } from '../../domain/event/event.ts';
import { placeBodies, textOfBody } from './event-bodies.ts';
import {
  type BodyVariant,
  bodyKey,
  type DebounceKey,
  deliveryExpiresAt,
  deliveryKey,
  eventExpiresAt,
  eventIdOfKey,
  eventKey,
  isEventKey,
  resendShardText,
} from './keys.ts';

export type DebounceItem = DebounceKey & {
  expiresAt?: number;
  bodies?: Partial<Record<BodyVariant, Uint8Array>>;
  message?: Uint8Array;
  [name: string]: unknown;
};

/** The items of an event: its row, and separate rows for large bodies. They expire together. */
export const eventItems = (event: TransactionEvent, bodies: EventBodies | undefined): DebounceItem[] => {
  const { eventId, uuid, recipients, ...facts } = event;
  const expiresAt = eventExpiresAt(event);
  const { within, apart } = placeBodies(eventId, bodies);
  // A test has no transaction and is not in that index, because an index key cannot be empty.
  const ofTransaction = uuid === '' ? {} : { uuid };
  return [
    {
      ...eventKey(eventId),
      ...ofTransaction,
      ...facts,
      recipients: storedRecipients(recipients),
      bodies: within,
      expiresAt,
    },
    ...apart.map((row) => ({ ...row, expiresAt })),
  ];
};

/** The bodies among the rows of an event. */
export const bodiesOf = (items: readonly DebounceItem[]): EventBodies | undefined => {
  const plain = bodyIn(items, 'plain');
  const tokens = bodyIn(items, 'tokens');
  return plain === undefined ? undefined : { plain, ...(tokens !== undefined && { tokens }) };
};

const bodyIn = (items: readonly DebounceItem[], variant: BodyVariant): string | undefined => {
  const { sk } = bodyKey('', variant);
  const stored = items.find(isEventKey)?.bodies?.[variant] ?? items.find((item) => item.sk === sk)?.message;
  return stored === undefined ? undefined : textOfBody(stored);
};

/**
 * A delivery expires only after its end and unscheduled (I12). Its transaction has another attribute name than in the index,
 * where it is found by its event.
 */
export const deliveryItem = ({ eventId, uuid, ...delivery }: Delivery, now: Date): DebounceItem => {
  const expiresAt = deliveryExpiresAt(delivery, now.getTime());
  return {
    ...deliveryKey({ eventId, clientId: delivery.clientId }),
    ...(uuid !== '' && { transaction: uuid }),
    ...delivery,
    dueShard: resendShardText,
    ...(expiresAt !== undefined && { expiresAt }),
  };
};

/** The attributes of an event's row without bodies. */
export const eventAttributes = [
  ...['pk', 'sk', 'uuid', 'from', 'to', 'type', 'elements', 'omitted'],
  ...['changedAtMs', 'claimedAtMs', 'recipients', 'expiresAt'],
] as const;

/** A longer list takes an engine milliseconds to read, which callers could measure (S-36). */
const mostInAList = 100;

/** A long list is one text. `contains` works on both forms, because client IDs have no blanks. */
const storedRecipients = (recipients: readonly string[]) =>
  recipients.length > mostInAList ? recipients.join(' ') : recipients;

const recipientsOf = (stored: unknown): readonly string[] =>
  typeof stored === 'string' ? stored.split(' ') : (stored as string[]);

/** Reads an event. Only this module writes such rows, so their shape is trusted. */
export const eventOf = ({
  pk,
  sk: _sk,
  expiresAt: _expiry,
  bodies: _bodies,
  recipients,
  ...facts
}: DebounceItem) =>
  ({
    uuid: '',
    eventId: eventIdOfKey({ pk }),
    ...facts,
    recipients: recipientsOf(recipients),
  }) as TransactionEvent;

/** A delivery from its row. */
export const deliveryOf = ({
  pk,
  sk: _sk,
  expiresAt: _expiry,
  dueShard: _shard,
  transaction = '',
  ...delivery
}: DebounceItem) => ({ uuid: transaction, eventId: eventIdOfKey({ pk }), ...delivery }) as Delivery;
