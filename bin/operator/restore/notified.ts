import type { CompletionMarker } from '../../../functions/shared/domain/event/debounce-row.ts';
import {
  type Delivery,
  type DeliveryKey,
  type DeliveryState,
  isUndone,
} from '../../../functions/shared/domain/event/delivery.ts';
import type { EventType } from '../../../functions/shared/domain/event/event.ts';
import type { DeliveryLogRow } from '../store/recovery/delivery-log-scan.ts';

/** What the delivery log knows of one transaction, as far as an adoption asks. */
export type Notified = {
  /** The highest version that any event names, also one that is still on its way. */
  upTo: number;
  /** Up to which version everything was sent; undefined before the first event. */
  notifiedVersion?: number;
  /** Whether a TransactionUpdated is kept, to be sent, or to be sent again. */
  isOpen: boolean;
  /** When the bus took the last TransactionUpdated of which it may still say that it gave it up; 0 for none. */
  acceptedAtMs: number;
  /** What its completing payment left, also when that was sent long ago. */
  completion?: CompletionMarker;
  /** TransactionCompleted that are open, or with the bus. */
  completions: CompletionDelivery[];
  /** Whether a TransactionCompleted was claimed for somebody. */
  isCompletionNotified: boolean;
};

/** One TransactionCompleted for one partner. */
export type CompletionDelivery = DeliveryKey & {
  state: DeliveryState;
  /** Would be sent by itself, or by a start of all webhooks. */
  isOpen: boolean;
  /** Of what the bus has: its dead letter ends it. */
  isUndone: boolean;
  acceptedAtMs: number;
};

/** What the delivery log knows, by transaction. */
export type NotifiedByDeliveryLog = {
  byUuid: ReadonlyMap<string, Notified>;
  /** The table is of this time or later. */
  newestClaimMs: number;
};

const nothing: Notified = {
  upTo: 0,
  isOpen: false,
  acceptedAtMs: 0,
  completions: [],
  isCompletionNotified: false,
};

/** Reads all that the delivery log knows. */
export const notifiedByDeliveryLog = async (
  rows: AsyncIterable<DeliveryLogRow>,
): Promise<NotifiedByDeliveryLog> => {
  const byUuid = new Map<string, Notified>();
  let newestClaimMs = 0;
  for await (const row of rows) {
    const { uuid } = 'delivery' in row ? row.delivery : row.dueRow;
    if (uuid === '') continue;
    byUuid.set(uuid, withRow(byUuid.get(uuid) ?? nothing, row));
    if ('delivery' in row) newestClaimMs = Math.max(newestClaimMs, row.delivery.claimedAtMs);
  }
  return { byUuid, newestClaimMs };
};

const withRow = (notified: Notified, row: DeliveryLogRow): Notified => {
  // Tests have no uuid: the caller has passed them over.
  if ('delivery' in row) return withDelivery[row.delivery.type as EventType](notified, row.delivery);
  const { dueRow } = row;
  if (dueRow.kind === 'COMPLETED') return { ...notified, completion: dueRow };
  const { notifiedVersion, inflight } = dueRow;
  return {
    ...notified,
    upTo: Math.max(notified.upTo, notifiedVersion ?? 0, inflight?.to ?? 0),
    ...(notifiedVersion !== undefined && { notifiedVersion }),
  };
};

const withUpdate = (notified: Notified, delivery: Delivery): Notified => ({
  ...notified,
  upTo: Math.max(notified.upTo, delivery.to),
  isOpen: notified.isOpen || isOpen(delivery),
  acceptedAtMs: Math.max(notified.acceptedAtMs, delivery.state === 'ACCEPTED' ? acceptedAtMsOf(delivery) : 0),
});

/** A completion stands outside the chain, and its stored bytes are the only ones that there are. */
const withCompletion = (notified: Notified, delivery: Delivery): Notified => {
  const { eventId, clientId, state } = delivery;
  const one = {
    ...{ eventId, clientId, state, acceptedAtMs: acceptedAtMsOf(delivery) },
    isOpen: isOpen(delivery) || lostItsTarget(delivery),
    isUndone: isUndone(delivery),
  };
  const isOver = !one.isOpen && state !== 'ACCEPTED';
  return {
    ...notified,
    upTo: Math.max(notified.upTo, delivery.to),
    completions: isOver ? notified.completions : [...notified.completions, one],
    isCompletionNotified: true,
  };
};

const withDelivery: Record<EventType, (notified: Notified, delivery: Delivery) => Notified> = {
  TransactionUpdated: withUpdate,
  TransactionCompleted: withCompletion,
};

/** Whether a delivery is kept, to be sent, or to be sent again. */
export const isOpen = ({ state, dueAtMs }: Delivery): boolean =>
  state === 'READY' || state === 'HELD' || (state === 'DEAD' && dueAtMs !== undefined);

/** A start of all webhooks sends what lost its target, also where no try is left. */
const lostItsTarget = ({ state, reason }: Delivery) => state === 'DEAD' && reason === 'TARGET_REMOVED';

/** When the bus took a delivery for the last time. */
export const acceptedAtMsOf = ({ timeline, claimedAtMs }: Delivery): number =>
  timeline.findLast(({ step }) => step === 'accepted')?.atMs ?? claimedAtMs;

/** Whether the delivery log knows of a completion, sent or still to be sent. */
export const isCompleted = (notified: Notified | undefined): boolean =>
  notified !== undefined && (notified.isCompletionNotified || notified.completion !== undefined);

/** Whether a completion is still to be sent, and nobody is at it. */
export const isWaiting = (marker: CompletionMarker | undefined): boolean =>
  marker?.dueAtMs !== undefined && !marker.inflight;
