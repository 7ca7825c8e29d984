import { type Delivery, isFailure, type StatusEntry } from '../../domain/event/delivery.ts';
import type { Attempt, DeliveryMove, Lease } from './delivery-log-store.ts';
import { deliveryExpiresAt, secondsOf } from './keys.ts';
import type { RowUpdate } from './update.ts';

/** Changes of a delivery. An expired row counts as gone, although DynamoDB removes it later. */
const isThere = 'attribute_exists(#pk) AND (attribute_not_exists(#expiresAt) OR #expiresAt > :nowSeconds)';
const withEntry = '#timeline = list_append(#timeline, :entries)';

/** Attributes that the move does not name are removed: reason, schedule, expiry (I12). */
export const moveUpdate = ({
  from,
  to,
  atMs,
  entry,
  history,
  reason,
  busEventId,
  dueAtMs,
  isStandalone,
  seen,
}: DeliveryMove): RowUpdate => {
  const expiresAt = deliveryExpiresAt({ state: to, ...(dueAtMs !== undefined && { dueAtMs }) }, atMs);
  const named = { reason, dueAtMs, expiresAt, isStandalone };
  const states = Object.fromEntries(from.map((state, index) => [`from${index}`, state]));
  const set = Object.entries({ ...named, busEventId }).filter(([, value]) => value !== undefined);
  const gone = Object.entries(named).filter(([, value]) => value === undefined);
  const sets = set.map(([name]) => `, #${name} = :${name}`).join('');
  const isFailed = to === 'DEAD' && isFailure(reason);
  const timeline = history ? '#timeline = :entries' : withEntry;
  const removals = gone.map(([name]) => `#${name}`).join(', ');
  return {
    update: `SET #state = :to, ${timeline}${sets} REMOVE ${removals}${isFailed ? ' ADD #failures :one' : ''}`,
    condition: `${isThere} AND #state IN (${Object.keys(states)
      .map((name) => `:${name}`)
      .join(', ')})${seen ? ' AND #timeline = :seenTimeline' : ''}`,
    values: {
      to,
      entries: [...(history ?? []), entry],
      ...(isFailed && { one: 1 }),
      nowSeconds: secondsOf(atMs),
      ...(seen && { seenTimeline: seen.timeline }),
      ...states,
      ...Object.fromEntries(set),
    },
  };
};

/** A pending delivery after a move. */
export const movedDelivery = (
  start: Delivery,
  { to, entry, reason, busEventId, dueAtMs, isStandalone }: DeliveryMove,
): Delivery => ({
  ...start,
  state: to,
  timeline: [...start.timeline, entry],
  failures: to === 'DEAD' && isFailure(reason) ? 1 : 0,
  ...(reason !== undefined && { reason }),
  ...(busEventId !== undefined && { busEventId }),
  ...(dueAtMs !== undefined && { dueAtMs }),
  ...(isStandalone && { isStandalone }),
});

export const refusalUpdate = (entry: StatusEntry): RowUpdate => ({
  update: `SET ${withEntry} ADD #refusals :one`,
  condition: isThere,
  values: { entries: [entry], one: 1, nowSeconds: secondsOf(entry.atMs) },
  returns: 'UPDATED_NEW',
});

/** Since it was read, the delivery was neither leased nor unscheduled nor requested as a standalone replay (EV-12). */
const isAsRead = ({ isStandalone }: Delivery): string =>
  `#redrives = :redrives AND attribute_exists(#dueAtMs) AND ${isStandalone ? 'attribute_exists' : 'attribute_not_exists'}(#isStandalone)`;

/** Leases it on that condition. */
export const leaseUpdate = (seen: Delivery, { dueAtMs }: Lease): RowUpdate => ({
  update: 'SET #state = :ready, #dueAtMs = :dueAtMs REMOVE #reason ADD #redrives :one',
  condition: isAsRead(seen),
  values: { redrives: seen.redrives, ready: 'READY', dueAtMs, one: 1 },
});

/** Postpones it on the same condition, which is no try. */
export const rescheduleDeliveryUpdate = (seen: Delivery, dueAtMs: number): RowUpdate => ({
  update: 'SET #dueAtMs = :dueAtMs',
  condition: isAsRead(seen),
  values: { redrives: seen.redrives, dueAtMs },
});

export const deliveredUpdate = ({ atMs, note }: Attempt): RowUpdate => ({
  update: `SET #state = :delivered, ${withEntry}, #expiresAt = :expiresAt REMOVE #dueAtMs, #reason, #isStandalone`,
  condition: `${isThere} AND NOT #state IN (:dead, :suppressed)`,
  values: {
    delivered: 'DELIVERED',
    dead: 'DEAD',
    suppressed: 'SUPPRESSED',
    entries: [{ atMs, step: 'delivered', note }],
    expiresAt: deliveryExpiresAt({ state: 'DELIVERED' }, atMs),
    nowSeconds: secondsOf(atMs),
  },
});

/** The state stays. Of a delivered one it stays only if it was given up, because its row may have come meanwhile. */
export const entryUpdate = ({ atMs, isDelivered, note }: Attempt): RowUpdate => ({
  update: `SET ${withEntry}`,
  condition: isDelivered ? `${isThere} AND #state IN (:dead, :suppressed)` : isThere,
  values: {
    entries: [{ atMs, step: isDelivered ? 'delivered' : 'attempted', note }],
    nowSeconds: secondsOf(atMs),
    ...(isDelivered && { dead: 'DEAD', suppressed: 'SUPPRESSED' }),
  },
});
