import type { Delivery } from './delivery.ts';
import type { TransactionEvent } from './event.ts';

/** A delivery at its start. */
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

/** A delivery of an event that stands for others, due at once; the note of its timeline says for which. */
export const armedDelivery = (
  event: TransactionEvent,
  clientId: string,
  { atMs, note, failures = 0 }: { atMs: number; note: string; failures?: number },
): Delivery => {
  const fresh = newDelivery(event, clientId);
  return {
    ...fresh,
    failures,
    dueAtMs: atMs,
    timeline: [...fresh.timeline, { atMs, step: 'armed', note }],
  };
};
