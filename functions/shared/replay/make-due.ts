import type { Delivery, DeliveryKey, DeliveryState, StatusEntry } from '../domain/event/delivery.ts';
import type { Clock } from '../runtime/clock.ts';
import type { DeliveryLogStore } from '../store/debounce/delivery-log-store.ts';

export type MakeDueDeps = { deliveryLog: Pick<DeliveryLogStore, 'move'>; clock: Clock };

/**
 * How a delivery is made due: as a standalone replay (`isStandalone`), with which note in its history, and from which
 * states.
 */
export type DueFacts = { isStandalone?: true; note?: string; from?: readonly DeliveryState[] };

/** All states but READY. */
const notUnderway: readonly DeliveryState[] = ['HELD', 'ACCEPTED', 'DELIVERED', 'DEAD', 'SUPPRESSED'];

/** Makes a delivery due now; the sender checks and sends it. Returns false if it is already being sent. */
export const makeDue = (
  { eventId, clientId, timeline = [] }: DeliveryKey & Partial<Pick<Delivery, 'timeline'>>,
  { deliveryLog, clock }: MakeDueDeps,
  { isStandalone, note, from = notUnderway }: DueFacts = {},
): Promise<boolean> => {
  const atMs = clock().getTime();
  return deliveryLog.move({
    ...{ eventId, clientId, atMs, ...shortened(timeline) },
    from,
    to: 'READY',
    entry: { atMs, step: 'scheduled', ...(note !== undefined && { note }) },
    dueAtMs: atMs,
    ...(isStandalone && { isStandalone }),
  });
};

const mostEntries = 100;

/** An item has at most 400 kB: the first entry and the latest ones of a long history are kept (TH-26). */
const shortened = ([first, ...later]: readonly StatusEntry[]): { history?: readonly StatusEntry[] } =>
  first === undefined || later.length < mostEntries - 1
    ? {}
    : { history: [first, ...later.slice(2 - mostEntries)] };

/** Ends a delivery whose versions the event `by` covers; its history names that event. */
export const endSuperseded = async (
  { eventId, clientId, state }: DeliveryKey & Pick<Delivery, 'state'>,
  by: string,
  { deliveryLog, clock }: MakeDueDeps,
): Promise<void> => {
  const atMs = clock().getTime();
  const entry = { atMs, step: 'suppressed', note: `COALESCED: sent by ${by}` } as const;
  const ended = { eventId, clientId, from: [state], to: 'SUPPRESSED', atMs, entry } as const;
  await deliveryLog.move({ ...ended, reason: 'COALESCED' });
};
