import type { Clock } from '../../../functions/shared/runtime/clock.ts';
import { createMemoryDeliveryLog, type MemoryDeliveryLog } from '../../support/memory/delivery-log.ts';

const eventsInOne = 20_000;
const keptDeliveryLogs = 4;

type Method = (...args: unknown[]) => unknown;
type DeliveryLog = { store: MemoryDeliveryLog; events: Set<string> };

/** A delivery log that drops old completed events, so that a million events fit into memory. */
export const createDeliveryLogs = (clock: Clock): MemoryDeliveryLog => {
  const deliveryLogs: DeliveryLog[] = [];
  const newest = (): DeliveryLog => {
    const last = deliveryLogs.at(-1);
    if (last && last.events.size < eventsInOne) return last;
    const added = { store: createMemoryDeliveryLog({ clock }), events: new Set<string>() };
    deliveryLogs.push(added);
    if (deliveryLogs.length > keptDeliveryLogs) deliveryLogs.shift();
    return added;
  };
  const deliveryLogOf = (eventId: string | undefined): DeliveryLog =>
    deliveryLogs.findLast(({ events }) => eventId !== undefined && events.has(eventId)) ?? newest();

  return new Proxy({} as MemoryDeliveryLog, {
    get:
      (_, method) =>
      (first: unknown, ...args: unknown[]) => {
        if (method === 'scheduled') return [];
        const eventId = eventIdIn(first);
        const { store, events } = deliveryLogOf(eventId);
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
