import { createHash } from 'node:crypto';
import type { NoticeKey } from '../../domain/event/cursor.ts';
import type { DeliveryKey } from '../../domain/event/delivery.ts';
import { type DueKey, dueShards } from './cursor-store.ts';

/** Keys of the Debounce table (events 4); one builder an entity. */
export type DebounceKey = { pk: string; sk: string };

export const noticeKey = ({ uuid, kind }: NoticeKey): DebounceKey => ({ pk: `TX#${uuid}`, sk: kind });

export const eventPartition = (eventId: string) => `EV#${eventId}`;
export const eventKey = (eventId: string): DebounceKey => ({ pk: eventPartition(eventId), sk: 'EVENT' });

/** With payment tokens, where that makes a difference, and without (SHOW-1). */
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
export const isEventKey = ({ sk }: DebounceKey) => sk === 'EVENT';

/** What a row of the due index is about. */
export const dueKeyOf = ({ pk, sk }: DebounceKey): DueKey => {
  if (sk === 'NOTIFY' || sk === 'COMPLETED') return { uuid: afterPrefix(pk), kind: sk };
  return { kind: 'DELIVERY', eventId: afterPrefix(pk), clientId: afterPrefix(sk) };
};

export const eventIdOfKey = ({ pk }: Pick<DebounceKey, 'pk'>) => afterPrefix(pk);

const afterPrefix = (text: string) => text.slice(text.indexOf('#') + 1);

/** Which part of the due index has it: of a notice by its uuid, of a delivery by its event's id. */
export const dueShardOf = (id: string): number =>
  createHash('sha256').update(id).digest().readUInt32BE() % dueShards;

/** The partition of the due index; its sort key `dueAtMs` only armed rows have. */
export const dueShardText = (id: string) => String(dueShardOf(id));
