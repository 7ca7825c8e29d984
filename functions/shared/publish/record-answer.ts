import type { Delivery, StatusEntry } from '../domain/event/delivery.ts';
import { isPendingDelivery } from '../domain/event/new-delivery.ts';
import type { BusAnswer } from '../outbound/event-bus.ts';
import type { PublishDeps } from './publish-deps.ts';

/** After this many refusals an entry is dead, so that it does not block its transaction. */
const mostRefusals = 5;

/** Records the bus's answer to one entry. Returns whether the entry is done, or still open. */
export const recordAnswer = async (
  delivery: Delivery,
  answer: BusAnswer | undefined,
  deps: PublishDeps,
): Promise<'done' | 'open'> => {
  if (!answer || answer.outcome === 'unconfirmed' || answer.outcome === 'refused-together') return 'open';
  const atMs = deps.clock().getTime();
  if (answer.outcome === 'accepted') {
    const { busEventId } = answer;
    const entry = { atMs, step: 'accepted', busEventId } as const;
    const { eventId, clientId } = delivery;
    await deps.deliveryLog.move({
      ...{ eventId, clientId, from: ['READY'], to: 'ACCEPTED', atMs, entry, busEventId },
      ...(isPendingDelivery(delivery) && { start: delivery }),
    });
    return 'done';
  }
  const refusals = await deps.deliveryLog.refused(delivery, { atMs, step: 'refused', note: answer.code });
  if (refusals < mostRefusals) return 'open';
  await markDead(delivery, { atMs, step: 'dead', note: answer.code }, deps);
  return 'done';
};

const markDead = async (
  { eventId, clientId }: Delivery,
  entry: StatusEntry,
  { deliveryLog, log }: PublishDeps,
) => {
  const { atMs } = entry;
  const key = { eventId, clientId };
  await deliveryLog.move({ ...key, from: ['READY'], to: 'DEAD', atMs, entry, reason: 'REFUSED_BY_BUS' });
  log('deliveryParked', key);
};
