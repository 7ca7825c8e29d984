import type { DueRowKey } from '../../../functions/shared/domain/event/debounce-row.ts';
import type { Delivery } from '../../../functions/shared/domain/event/delivery.ts';
import type { EventBodies, TransactionEvent } from '../../../functions/shared/domain/event/event.ts';
import type { Claim } from '../../../functions/shared/store/debounce/debounce-row-store.ts';
import { uuidOf } from './transactions.ts';

export const claimedAtMs = Date.parse('2026-03-01T12:00:00Z');

/** An id of the right shape for a number. */
export const anEventId = (number: number) => `00000000-0000-5000-8000-${String(number).padStart(12, '0')}`;

export const anEvent = (values: Partial<TransactionEvent> = {}): TransactionEvent => ({
  eventId: 'event-1',
  type: 'TransactionUpdated',
  uuid: uuidOf(1),
  from: 0,
  to: 1,
  elements: ['vehicle'],
  omitted: [],
  changedAtMs: claimedAtMs - 120_000,
  claimedAtMs,
  recipients: ['P1'],
  ...values,
});

export const aDelivery = (values: Partial<Delivery> = {}): Delivery => ({
  eventId: 'event-1',
  clientId: 'P1',
  type: 'TransactionUpdated',
  uuid: uuidOf(1),
  from: 0,
  to: 1,
  claimedAtMs,
  state: 'READY',
  timeline: [{ atMs: claimedAtMs, step: 'claimed' }],
  refusals: 0,
  failures: 0,
  redrives: 0,
  ...values,
});

/** As an event of a claim begins it. */
export const aPendingDelivery = (values: Partial<Delivery> = {}): Delivery =>
  aDelivery({
    timeline: [
      { atMs: claimedAtMs - 120_000, step: 'changed' },
      { atMs: claimedAtMs, step: 'claimed' },
    ],
    ...values,
  });

export const someBodies: EventBodies = { plain: '{"plain":true}', tokens: '{"tokens":true}' };

/** A claim of version 1 by the first flusher that looks. */
export const aClaim = (values: Partial<Claim> & { key: DueRowKey }): Claim => {
  const event = values.event ?? anEvent({ uuid: values.key.uuid });
  const { eventId, from, to, elements } = event;
  return {
    revision: 0,
    transactionVersion: 1,
    inflight: {
      ...{ eventId, from, to, elements, changeCount: 1, claimedAtMs: event.claimedAtMs, attempts: 1 },
      leasedUntilMs: claimedAtMs + 20_000,
    },
    bodies: someBodies,
    ...values,
    event,
  };
};
