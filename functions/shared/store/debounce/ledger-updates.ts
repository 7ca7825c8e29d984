import type { Delivery, TimelineEntry } from '../../domain/event/delivery.ts';
import { deliveryExpiresAt, secondsOf } from './keys.ts';
import type { Attempt, DeliveryMove } from './ledger-store.ts';
import type { Change } from './update.ts';

/** The changes of a delivery. An expired row counts as gone, whenever the engine removes it. */
const isThere = 'attribute_exists(#pk) AND (attribute_not_exists(#expiresAt) OR #expiresAt > :nowSeconds)';
const withEntry = '#timeline = list_append(#timeline, :entries)';

/** What the move does not name is taken away: an old reason, an arming, an expiry (I12). */
export const moveChange = ({ from, to, atMs, entry, reason, busEventId, dueAtMs }: DeliveryMove): Change => {
  const expiresAt = deliveryExpiresAt({ state: to, ...(dueAtMs !== undefined && { dueAtMs }) }, atMs);
  const named = { reason, dueAtMs, expiresAt };
  const states = Object.fromEntries(from.map((state, index) => [`from${index}`, state]));
  const set = Object.entries({ ...named, busEventId }).filter(([, value]) => value !== undefined);
  const gone = Object.entries(named).filter(([, value]) => value === undefined);
  const sets = set.map(([name]) => `, #${name} = :${name}`).join('');
  const removals = gone.map(([name]) => `#${name}`).join(', ');
  return {
    update: `SET #state = :to, ${withEntry}${sets} REMOVE ${removals}`,
    condition: `${isThere} AND #state IN (${Object.keys(states)
      .map((name) => `:${name}`)
      .join(', ')})`,
    values: { to, entries: [entry], nowSeconds: secondsOf(atMs), ...states, ...Object.fromEntries(set) },
  };
};

export const refusedChange = (entry: TimelineEntry): Change => ({
  update: `SET ${withEntry} ADD #refusals :one`,
  condition: isThere,
  values: { entries: [entry], one: 1, nowSeconds: secondsOf(entry.atMs) },
  returns: 'UPDATED_NEW',
});

/** Nobody else took it up, and nobody disarmed it. */
export const takeUpChange = ({ redrives }: Delivery, { dueAtMs }: { dueAtMs: number }): Change => ({
  update: 'SET #state = :ready, #dueAtMs = :dueAtMs REMOVE #reason ADD #redrives :one',
  condition: '#redrives = :redrives AND attribute_exists(#dueAtMs)',
  values: { redrives, ready: 'READY', dueAtMs, one: 1 },
});

export const deliveredChange = ({ atMs, note }: Attempt): Change => ({
  update: `SET #state = :delivered, ${withEntry}, #expiresAt = :expiresAt REMOVE #dueAtMs, #reason`,
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

/** What leaves the state as it is. */
export const noteChange = ({ atMs, isDelivered, note }: Attempt): Change => ({
  update: `SET ${withEntry}`,
  condition: isThere,
  values: {
    entries: [{ atMs, step: isDelivered ? 'delivered' : 'attempted', note }],
    nowSeconds: secondsOf(atMs),
  },
});
