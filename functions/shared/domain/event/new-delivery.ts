import type { Delivery } from './delivery.ts';
import type { TransactionEvent } from './event.ts';

/** A new delivery. */
export const newDelivery = (event: TransactionEvent, clientId: string): Delivery => ({
  eventId: event.eventId,
  clientId,
  type: event.type,
  uuid: event.uuid,
  from: event.from,
  to: event.to,
  claimedAtMs: event.claimedAtMs,
  state: 'READY',
  timeline: [
    { atMs: event.changedAtMs, step: 'changed' },
    {
      atMs: event.claimedAtMs,
      step: 'claimed',
      ...(event.omitted.length > 0 && { note: `OVERSIZE: ${event.omitted.join(', ')} left out` }),
    },
  ],
  refusals: 0,
  failures: 0,
  redrives: 0,
});

/** Deliveries to recipients of an event that have no row yet: they have no status entry, and are to be sent. */
export const pendingDeliveries = (
  event: TransactionEvent,
  recorded: readonly Pick<Delivery, 'clientId'>[],
): Delivery[] => {
  const there = new Set(recorded.map(({ clientId }) => clientId));
  return event.recipients
    .filter((clientId) => !there.has(clientId))
    .map((clientId) => newDelivery(event, clientId));
};

/** Whether a delivery has no status entry since the claim of its event. */
export const isPendingDelivery = ({ state, dueAtMs, timeline }: Delivery): boolean =>
  state === 'READY' &&
  dueAtMs === undefined &&
  timeline.every(({ step }) => step === 'changed' || step === 'claimed');

/** A delivery of an event that stands for others, due at once. Its timeline names them. */
export const scheduledDelivery = (
  event: TransactionEvent,
  clientId: string,
  { atMs, note, failures = 0 }: { atMs: number; note: string; failures?: number },
): Delivery => {
  const fresh = newDelivery(event, clientId);
  return {
    ...fresh,
    failures,
    dueAtMs: atMs,
    timeline: [...fresh.timeline, { atMs, step: 'scheduled', note }],
  };
};
