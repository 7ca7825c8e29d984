import type {
  Delivery,
  DeliveryKey,
  DeliveryReason,
  DeliveryState,
  StatusEntry,
} from '../../domain/event/delivery.ts';
import type { EventBodies, TransactionEvent } from '../../domain/event/event.ts';

/** An event with its bodies and deliveries. */
export type DeliveryLogEvent = {
  event: TransactionEvent;
  bodies: EventBodies | undefined;
  deliveries: Delivery[];
};

/** A delivery's next state, if it is still in one of `from`. */
export type DeliveryMove = DeliveryKey & {
  from: readonly DeliveryState[];
  to: DeliveryState;
  atMs: number;
  entry: StatusEntry;
  /** The former entries to keep in the timeline; all of them if absent. */
  history?: readonly StatusEntry[];
  reason?: DeliveryReason;
  busEventId?: string;
  /** The new due time; absent = no longer scheduled. */
  dueAtMs?: number;
  /** Sent as stored; absent = may be folded into a newer event. */
  isStandalone?: true;
  /** The delivery as read: refused if it has a newer status entry. */
  seen?: Pick<Delivery, 'timeline'>;
  /** The delivery as its event started it, if it probably has no row: this saves a read. */
  start?: Delivery;
};

/** The end of the lease. */
export type Lease = { dueAtMs: number };

/** The result of one try of the bus; only the local stage's bus reports it. */
export type Attempt = DeliveryKey & { atMs: number; isDelivered: boolean; note: string };

/**
 * The delivery log: one method for each access pattern. Expired rows are absent. A delivery without a status entry has no
 * row: it is READY, and follows from its event.
 */
export type DeliveryLogStore = {
  /** Strongly consistent: the event, its bodies and all deliveries, pending ones included. */
  event: (eventId: string) => Promise<DeliveryLogEvent | undefined>;
  delivery: (key: DeliveryKey) => Promise<Delivery | undefined>;
  /** Puts an event without a claim (a coalesced replay), and missing deliveries. */
  addMissing: (added: {
    event?: TransactionEvent;
    bodies?: EventBodies;
    deliveries: readonly Delivery[];
  }) => Promise<void>;
  /**
   * Returns whether the delivery was in one of the states. A final state sets the expiry, any other removes it. Creates the
   * row of a pending delivery.
   */
  move: (move: DeliveryMove) => Promise<boolean>;
  /** Counts a refusal of the bus; returns the new number. */
  refused: (delivery: Delivery, entry: StatusEntry) => Promise<number>;
  /** Leases a due delivery, if it was neither leased nor made a standalone replay since it was read. */
  lease: (delivery: Delivery, lease: Lease) => Promise<boolean>;
  /** Postpones a due delivery on the same condition; this is no try. */
  reschedule: (delivery: Delivery, dueAtMs: number) => Promise<boolean>;
  /** Adds to the timeline; after a delivery the state is DELIVERED unless it was given up. */
  recordAttempt: (attempt: Attempt) => Promise<void>;
  /** Newest first, of one partner (with rows only) or of one transaction; `untilMs` is exclusive. */
  deliveriesOfPartner: (clientId: string, span: DeliveryLogSpan) => AsyncIterable<Delivery>;
  deliveriesOfTransaction: (uuid: string, span: TransactionSpan) => AsyncIterable<Delivery>;
  /** All events of a transaction, also those without recipients; newest first. */
  eventsOfTransaction: (uuid: string) => AsyncIterable<TransactionEvent>;
};

/** Times of claims in milliseconds. */
export type DeliveryLogSpan = { sinceMs?: number; untilMs?: number };
/** To one partner, or to all. */
export type TransactionSpan = DeliveryLogSpan & {
  clientId?: string;
  /** The most index pages of a thousand entries to read; older entries are omitted. */
  atMostPages?: number;
};

/** Separate, because functions that publish do not need what partners request. */
export type DeliveryLogPages = {
  /** A bounded page of one partner's deliveries, or of those of one transaction. */
  deliveryPage: (asked: DeliveryPageAsked) => Promise<DeliveryPage>;
};

/** A place among a partner's deliveries; without an event, before all of its time. */
export type DeliveryLogPosition = { claimedAtMs: number; eventId?: string };

export type DeliveryPageAsked = DeliveryLogSpan & {
  clientId: string;
  uuid?: string;
  after?: DeliveryLogPosition;
  limit: number;
  /** Absent = newest first. */
  oldestFirst?: boolean;
};

/** `next` is the place to continue; absent at the end. A page before the end may be empty. */
export type DeliveryPage = { deliveries: Delivery[]; next?: DeliveryLogPosition };

const day = 24 * 60 * 60 * 1000;
/** How long an event and its bodies are kept after the claim, and a delivery after its end. */
export const eventLifetimeMs = 60 * day;
export const deliveryLifetimeMs = 30 * day;

/** Whether the state is final. Only final, unscheduled deliveries expire (I12). */
export const isFinal = (state: DeliveryState) => state !== 'READY' && state !== 'HELD';
