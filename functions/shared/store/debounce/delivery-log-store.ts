import type {
  Delivery,
  DeliveryKey,
  DeliveryReason,
  DeliveryState,
  StatusEntry,
} from '../../domain/event/delivery.ts';
import type { EventBodies, TransactionEvent } from '../../domain/event/event.ts';

/** One event with everything that the delivery log knows of it. */
export type DeliveryLogEvent = {
  event: TransactionEvent;
  bodies: EventBodies | undefined;
  deliveries: Delivery[];
};

/** A delivery's next state, on the condition that it is in one of `from` still. */
export type DeliveryMove = DeliveryKey & {
  from: readonly DeliveryState[];
  to: DeliveryState;
  atMs: number;
  entry: StatusEntry;
  /** What the timeline keeps of the steps before; all of them without it. */
  history?: readonly StatusEntry[];
  reason?: DeliveryReason;
  busEventId?: string;
  /** Due by itself then; without it the delivery is not scheduled any more. */
  dueAtMs?: number;
  /** Sent as it is then; without it, it may become part of a newer event. */
  isStandalone?: true;
  /** The delivery as it was read: refused where it has a status entry since. */
  seen?: Pick<Delivery, 'timeline'>;
  /** The delivery as its event began it, where it is thought to have no row yet: that saves asking. */
  start?: Delivery;
};

/** When the lease ends. */
export type Lease = { dueAtMs: number };

/** What one try of the bus at the endpoint came to; only the embedded stage's bus says so. */
export type Attempt = DeliveryKey & { atMs: number; isDelivered: boolean; note: string };

/**
 * The delivery log of events and deliveries; one method an access pattern. Expired rows are absent. A delivery of which
 * nothing is recorded yet has no row of its own: it is READY, and follows from its event.
 */
export type DeliveryLogStore = {
  /** Strongly consistent: the event, its bodies, and all its deliveries, those without a row too. */
  event: (eventId: string) => Promise<DeliveryLogEvent | undefined>;
  delivery: (key: DeliveryKey) => Promise<Delivery | undefined>;
  /** Puts an event that no claim brought (a coalesced replay), and deliveries that are not there yet. */
  addMissing: (added: {
    event?: TransactionEvent;
    bodies?: EventBodies;
    deliveries: readonly Delivery[];
  }) => Promise<void>;
  /**
   * Answers whether the delivery was in one of the states; a final state sets the expiry, any other takes it away. Gives a
   * delivery its row where it has none.
   */
  move: (move: DeliveryMove) => Promise<boolean>;
  /** Counts a refusal by the bus; answers how many there are now. */
  refused: (delivery: Delivery, entry: StatusEntry) => Promise<number>;
  /** Leases a delivery that is due, where nobody did, or made it a standalone replay, since it was read; such a one stays one. */
  lease: (delivery: Delivery, lease: Lease) => Promise<boolean>;
  /** Puts off a delivery that is due, on the same condition; it does not count as a sending. */
  reschedule: (delivery: Delivery, dueAtMs: number) => Promise<boolean>;
  /** Adds to the timeline; a delivered one becomes DELIVERED unless it was given up. */
  recordAttempt: (attempt: Attempt) => Promise<void>;
  /** Newest first, of one partner (without those that have no row) or of one transaction; `untilMs` is exclusive. */
  deliveriesOfPartner: (clientId: string, span: DeliveryLogSpan) => AsyncIterable<Delivery>;
  deliveriesOfTransaction: (uuid: string, span: TransactionSpan) => AsyncIterable<Delivery>;
  /** All events of one transaction, those without a recipient too; newest first. */
  eventsOfTransaction: (uuid: string) => AsyncIterable<TransactionEvent>;
};

/** By the time of the claim, in milliseconds. */
export type DeliveryLogSpan = { sinceMs?: number; untilMs?: number };
/** Those to one partner, or to all. */
export type TransactionSpan = DeliveryLogSpan & {
  clientId?: string;
  /** How many pages of the index are read, of a thousand entries each; what lies further back is left out. */
  atMostPages?: number;
};

/** Apart from the rest, which functions that publish carry: what a partner itself asks of the delivery log. */
export type DeliveryLogPages = {
  /** A bounded part of one partner's deliveries, each as it stands now; those of one transaction where it is named. */
  deliveryPage: (asked: DeliveryPageAsked) => Promise<DeliveryPage>;
};

/** A place among the deliveries of one partner; without an event all of its time come behind it. */
export type DeliveryLogPosition = { claimedAtMs: number; eventId?: string };

export type DeliveryPageAsked = DeliveryLogSpan & {
  clientId: string;
  uuid?: string;
  after?: DeliveryLogPosition;
  limit: number;
  /** Absent = newest first. */
  oldestFirst?: boolean;
};

/** `next` is the place to read on from; absent at the end. A page that ends before it may have no deliveries. */
export type DeliveryPage = { deliveries: Delivery[]; next?: DeliveryLogPosition };

const day = 24 * 60 * 60 * 1000;
/** How long an event and its bodies are kept after the claim, and a delivery after its end. */
export const eventLifetimeMs = 60 * day;
export const deliveryLifetimeMs = 30 * day;

/** Whether nothing leads out of the state by itself: only such deliveries expire, and only unscheduled ones (I12). */
export const isFinal = (state: DeliveryState) => state !== 'READY' && state !== 'HELD';
