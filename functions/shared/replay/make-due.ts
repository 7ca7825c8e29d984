import type { Delivery, DeliveryKey, TimelineEntry } from '../domain/event/delivery.ts';
import type { Clock } from '../runtime/clock.ts';
import type { LedgerStore } from '../store/debounce/ledger-store.ts';

export type MakeDueDeps = { ledger: Pick<LedgerStore, 'move'>; clock: Clock };

/** What a delivery is made due as: a standalone replay (`isAlone`), and what its timeline says of it. */
export type DueFacts = { isAlone?: true; note?: string };

/**
 * Makes a delivery due at once: the sender judges and sends it. Answers false where it is on its way, and goes on as it is.
 */
export const makeDue = (
  { eventId, clientId, timeline = [] }: DeliveryKey & Partial<Pick<Delivery, 'timeline'>>,
  { ledger, clock }: MakeDueDeps,
  { isAlone, note }: DueFacts = {},
): Promise<boolean> => {
  const atMs = clock().getTime();
  return ledger.move({
    ...{ eventId, clientId, atMs, ...shortened(timeline) },
    from: ['HELD', 'ACCEPTED', 'DELIVERED', 'DEAD', 'SUPPRESSED'],
    to: 'READY',
    entry: { atMs, step: 'armed', ...(note !== undefined && { note }) },
    dueAtMs: atMs,
    ...(isAlone && { isAlone }),
  });
};

const mostEntries = 100;

/** An item holds 400 kB: of a long timeline the first entry and the latest ones stay (TH-26). */
const shortened = ([first, ...later]: readonly TimelineEntry[]): { history?: readonly TimelineEntry[] } =>
  first === undefined || later.length < mostEntries - 1
    ? {}
    : { history: [first, ...later.slice(2 - mostEntries)] };

/** Ends a delivery whose versions the event `by` tells of; its timeline names that event. */
export const endSuperseded = async (
  { eventId, clientId, state }: DeliveryKey & Pick<Delivery, 'state'>,
  by: string,
  { ledger, clock }: MakeDueDeps,
): Promise<void> => {
  const atMs = clock().getTime();
  const entry = { atMs, step: 'suppressed', note: `COALESCED: told by ${by}` } as const;
  const ended = { eventId, clientId, from: [state], to: 'SUPPRESSED', atMs, entry } as const;
  await ledger.move({ ...ended, reason: 'COALESCED' });
};
