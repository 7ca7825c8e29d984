import type { Clock } from '../../../functions/shared/runtime/clock.ts';
import { createMemoryLedger, type MemoryLedger } from '../../support/memory/ledger.ts';

const eventsInOne = 20_000;
const keptLedgers = 4;

type Method = (...args: unknown[]) => unknown;
type Ledger = { store: MemoryLedger; events: Set<string> };

/** A ledger that forgets what is long settled, so that a million events fit into memory. */
export const createLedgers = (clock: Clock): MemoryLedger => {
  const ledgers: Ledger[] = [];
  const newest = (): Ledger => {
    const last = ledgers.at(-1);
    if (last && last.events.size < eventsInOne) return last;
    const added = { store: createMemoryLedger({ clock }), events: new Set<string>() };
    ledgers.push(added);
    if (ledgers.length > keptLedgers) ledgers.shift();
    return added;
  };
  const ledgerOf = (eventId: string | undefined): Ledger =>
    ledgers.findLast(({ events }) => eventId !== undefined && events.has(eventId)) ?? newest();

  return new Proxy({} as MemoryLedger, {
    get:
      (_, method) =>
      (first: unknown, ...args: unknown[]) => {
        if (method === 'scheduled') return [];
        const eventId = eventIdIn(first);
        const { store, events } = ledgerOf(eventId);
        if (eventId !== undefined) events.add(eventId);
        return (store as unknown as { [name: string | symbol]: Method })[method]?.(first, ...args);
      },
  });
};

const eventIdIn = (first: unknown): string | undefined => {
  if (typeof first === 'string') return first;
  const { eventId, event } = first as { eventId?: string; event?: { eventId: string } };
  return eventId ?? event?.eventId;
};
