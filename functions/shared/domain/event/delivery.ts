import type { EventType, VersionRange } from './event.ts';
import type { SuppressionReason } from './recipient.ts';

/**
 * READY: to be sent. HELD: its partner is paused. ACCEPTED: the bus has it. DELIVERED: the endpoint answered 2xx.
 * DEAD: given up, or waiting to be tried again. SUPPRESSED: not sent, for a reason (events 4).
 */
export const deliveryStates = ['READY', 'HELD', 'ACCEPTED', 'DELIVERED', 'DEAD', 'SUPPRESSED'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Why a delivery is DEAD or SUPPRESSED. `HTTP_<status>`, `TIMEOUT`, `DNS`… come from dead letters. */
export type DeliveryReason =
  | SuppressionReason
  /** The bus refused the entry five times. */
  | 'REFUSED_BY_BUS'
  /** Told by a later event that covers its range, too. */
  | 'COALESCED'
  /** The transaction was deleted after it. */
  | 'DELETED'
  /** Its body is not kept any more. */
  | 'EXPIRED'
  | (string & {});

export type TimelineStep =
  | 'changed'
  | 'claimed'
  | 'held'
  | 'refused'
  | 'accepted'
  | 'attempted'
  | 'delivered'
  | 'dead'
  | 'suppressed'
  | 'armed';
export type TimelineEntry = { atMs: number; step: TimelineStep; note?: string };

/** One event on its way to one partner (TH-23). */
export type Delivery = VersionRange & {
  eventId: string;
  clientId: string;
  type: EventType;
  uuid: string;
  claimedAtMs: number;
  state: DeliveryState;
  reason?: DeliveryReason;
  timeline: TimelineEntry[];
  /** How often the bus refused this entry. */
  refusals: number;
  /** +1 each time it is sent again; a condition of whoever takes it up. */
  redrives: number;
  /** The bus's own id of the last accepted entry: what its logs call it. */
  busEventId?: string;
  /** When it is looked at by itself: redrives, replays, resumed ones. Never together with an expiry (I12). */
  dueAtMs?: number;
};

export type DeliveryKey = Pick<Delivery, 'eventId' | 'clientId'>;
