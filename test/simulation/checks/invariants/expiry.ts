import { isPendingDelivery } from '../../../../functions/shared/domain/event/new-delivery.ts';
import type { Facts, Finding } from '../facts.ts';

/**
 * I12: nothing scheduled carries a TTL, nor does any other pending row: DynamoDB removes rows days late. What has no row yet
 * waits with the debounce row or marker that has its event in flight.
 */
export const nothingScheduledExpires = ({ world: { samples } }: Facts): Finding[] =>
  samples.flatMap(({ atMs, now, later }) => {
    const dueRows = new Set(later.dueRows.map(({ uuid, kind }) => `${uuid}/${kind}`));
    const deliveries = new Set(later.deliveries.map(({ eventId, clientId }) => `${eventId}/${clientId}`));
    const lost = [
      ...now.dueRows
        .filter(({ uuid, kind, dueAtMs }) => dueAtMs !== undefined && !dueRows.has(`${uuid}/${kind}`))
        .map(({ uuid, kind }) => ({ uuid, what: `${kind} is scheduled and expires` })),
      ...now.dueRows
        .filter(({ uuid, kind }) => kind === 'NOTIFY' && !dueRows.has(`${uuid}/${kind}`))
        .map(({ uuid }) => ({ uuid, what: 'a debounce row expires' })),
      ...now.deliveries
        .filter((one) => !isPendingDelivery(one))
        .filter(({ state, dueAtMs }) => dueAtMs !== undefined || state === 'READY' || state === 'HELD')
        .filter(({ eventId, clientId }) => !deliveries.has(`${eventId}/${clientId}`))
        .map(({ uuid, eventId, state }) => ({ uuid, what: `${eventId} is ${state} and expires` })),
    ];
    return lost.map((finding) => ({ invariant: 'I12', atMs, ...finding }));
  });
