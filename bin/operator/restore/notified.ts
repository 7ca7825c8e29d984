import type { CompletionMarker } from '../../../functions/shared/domain/event/debounce-row.ts';
import {
  type Delivery,
  type DeliveryKey,
  type DeliveryState,
  isUndone,
} from '../../../functions/shared/domain/event/delivery.ts';
import type { EventType } from '../../../functions/shared/domain/event/event.ts';
import type { DeliveryLogRow } from '../store/recovery/delivery-log-scan.ts';

/** The delivery log of one transaction, summed up for an adoption. */
export type Notified = {
  /** The highest version of any event, sent or in flight. */
  upTo: number;
  /** The version up to which all changes were sent; undefined before the first event. */
  notifiedVersion?: number;
  /** Whether a TransactionUpdated is held, ready, or due for a redrive. */
  isOpen: boolean;
  /** When the bus accepted the newest TransactionUpdated without an outcome; 0 without one. */
  acceptedAtMs: number;
  /** The marker of the completing payment, also when its event was sent long ago. */
  completion?: CompletionMarker;
  /** Deliveries of TransactionCompleted that are open, or accepted by the bus. */
  completions: CompletionDelivery[];
  /** Whether a TransactionCompleted was claimed for any partner. */
  isCompletionNotified: boolean;
};

/** One TransactionCompleted for one partner. */
export type CompletionDelivery = DeliveryKey & {
  state: DeliveryState;
  /** Would be sent without a replay: when it is due, or by `webhooks start`. */
  isOpen: boolean;
  /** A delivery that the bus has, which a dead letter ends for good. */
  isUndone: boolean;
  acceptedAtMs: number;
};

/** The delivery log, summed up by transaction. */
export type NotifiedByDeliveryLog = {
  byUuid: ReadonlyMap<string, Notified>;
  /** The newest claim in the Debounce table: the table is of this time or later. */
  newestClaimMs: number;
};

const nothing: Notified = {
  upTo: 0,
  isOpen: false,
  acceptedAtMs: 0,
  completions: [],
  isCompletionNotified: false,
};

/** Sums up the delivery log by transaction. */
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
  // Webhook tests have no uuid, and the caller has skipped them.
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

/** A completion is not part of the chain of updates, so each open delivery is kept to be sent with its stored body. */
const withCompletion = (notified: Notified, delivery: Delivery): Notified => {
  const { eventId, clientId, state } = delivery;
  const completion = {
    ...{ eventId, clientId, state, acceptedAtMs: acceptedAtMsOf(delivery) },
    isOpen: isOpen(delivery) || lostItsTarget(delivery),
    isUndone: isUndone(delivery),
  };
  const isOver = !completion.isOpen && state !== 'ACCEPTED';
  return {
    ...notified,
    upTo: Math.max(notified.upTo, delivery.to),
    completions: isOver ? notified.completions : [...notified.completions, completion],
    isCompletionNotified: true,
  };
};

const withDelivery: Record<EventType, (notified: Notified, delivery: Delivery) => Notified> = {
  TransactionUpdated: withUpdate,
  TransactionCompleted: withCompletion,
};

/** Whether a delivery is held, ready, or due for a redrive. */
export const isOpen = ({ state, dueAtMs }: Delivery): boolean =>
  state === 'READY' || state === 'HELD' || (state === 'DEAD' && dueAtMs !== undefined);

/** `webhooks start` sends deliveries again that died because their target was removed, without regard to tries. */
const lostItsTarget = ({ state, reason }: Delivery) => state === 'DEAD' && reason === 'TARGET_REMOVED';

/** When the bus last accepted a delivery; when it was claimed, where the timeline has no acceptance. */
export const acceptedAtMsOf = ({ timeline, claimedAtMs }: Delivery): number =>
  timeline.findLast(({ step }) => step === 'accepted')?.atMs ?? claimedAtMs;

/** Whether the delivery log has a completion, sent or pending. */
export const isCompleted = (notified: Notified | undefined): boolean =>
  notified !== undefined && (notified.isCompletionNotified || notified.completion !== undefined);

/** Whether a completion is due and not in flight. */
export const isWaiting = (marker: CompletionMarker | undefined): boolean =>
  marker?.dueAtMs !== undefined && !marker.inflight;
