import { createHash } from 'node:crypto';
import type { DueRowKey } from '../../domain/event/debounce-row.ts';
import type { Delivery, DeliveryKey } from '../../domain/event/delivery.ts';
import type { TransactionEvent } from '../../domain/event/event.ts';
import { type DueKey, dueShards, resendShard } from './debounce-row-store.ts';
import { deliveryLifetimeMs, eventLifetimeMs, isFinal } from './delivery-log-store.ts';

/** Keys of the Debounce table; one builder for each entity. */
export type DebounceKey = { pk: string; sk: string };

export const dueRowKey = ({ uuid, kind }: DueRowKey): DebounceKey => ({ pk: `TX#${uuid}`, sk: kind });

export const eventPartition = (eventId: string) => `EV#${eventId}`;
export const eventKey = (eventId: string): DebounceKey => ({ pk: eventPartition(eventId), sk: 'EVENT' });

/** With payment tokens, if that differs, and without (SHOW-1). */
export type BodyVariant = 'plain' | 'tokens';
export const bodyKey = (eventId: string, variant: BodyVariant): DebounceKey => ({
  pk: eventPartition(eventId),
  sk: `BODY#${variant}`,
});

export const deliveryKey = ({ eventId, clientId }: DeliveryKey): DebounceKey => ({
  pk: eventPartition(eventId),
  sk: `PARTNER#${clientId}`,
});

export const isDeliveryKey = ({ sk }: DebounceKey) => sk.startsWith('PARTNER#');
/** The sort key of an event's row. */
const eventSortKey = eventKey('').sk;
export const isEventKey = ({ sk }: DebounceKey) => sk === eventSortKey;

/** The subject of a row in the due index. */
export const dueKeyOf = ({ pk, sk }: DebounceKey): DueKey => {
  if (isDeliveryKey({ pk, sk }))
    return { kind: 'DELIVERY', eventId: afterPrefix(pk), clientId: afterPrefix(sk) };
  return { uuid: afterPrefix(pk), kind: sk as DueRowKey['kind'] };
};

export const eventIdOfKey = ({ pk }: Pick<DebounceKey, 'pk'>) => afterPrefix(pk);

const afterPrefix = (text: string) => text.slice(text.indexOf('#') + 1);

/** The due shard of a debounce row or marker. */
export const dueShardOf = (uuid: string): number =>
  createHash('sha256').update(uuid).digest().readUInt32BE() % dueShards;

/** The partition of the due index; only scheduled rows have its sort key `dueAtMs`. */
export const dueShardText = (uuid: string) => String(dueShardOf(uuid));

/** The partition of deliveries to send again, so that a thousand of them delay no debounce row (EV-26). */
export const resendShardText = String(resendShard);

/** DynamoDB's TTL has whole seconds and removes days late, so reads compare as well (S-60). */
export const isExpired = ({ expiresAt }: { expiresAt?: number }, now: Date) =>
  expiresAt !== undefined && expiresAt <= secondsOf(now.getTime());

/** Rounded down: an instant is past within its own second. */
export const secondsOf = (milliseconds: number) => Math.floor(milliseconds / 1000);

export const eventExpiresAt = ({ claimedAtMs }: Pick<TransactionEvent, 'claimedAtMs'>) =>
  secondsOf(claimedAtMs + eventLifetimeMs);

/** Only ended and unscheduled deliveries expire (I12). */
export const deliveryExpiresAt = ({ state, dueAtMs }: Pick<Delivery, 'state' | 'dueAtMs'>, atMs: number) =>
  isFinal(state) && dueAtMs === undefined ? secondsOf(atMs + deliveryLifetimeMs) : undefined;

/** Whether a recipient without a row can be pending; after that time its row may have expired. */
export const mayBePending = ({ claimedAtMs }: Pick<TransactionEvent, 'claimedAtMs'>, now: Date): boolean =>
  !isExpired({ expiresAt: secondsOf(claimedAtMs + deliveryLifetimeMs) }, now);

/** The expiry of a completed marker. */
export const markerExpiresAt = (atMs: number) => secondsOf(atMs + deliveryLifetimeMs);
