import type { DueRowKey } from '../../domain/event/cursor.ts';
import { inflightItem } from './cursor-items.ts';
import type { Claim, Settlement, WakeUp } from './cursor-store.ts';
import { dueShardText, markerExpiresAt } from './keys.ts';
import type { Change } from './update.ts';

/** The changes of a cursor or marker, each on its condition. */
const isAsRead = '#rev = :rev';
const isUnchanged = '#touch = :touch';
const isFree = 'attribute_not_exists(#inflight)';
const isOurs = '#inflight.#eventId = :eventId';

/** An engine takes no empty set, so a change of nothing that has a name merges none. */
export const wakeChange = ({ uuid, changed, changedAtMs, dueAtMs }: WakeUp): Change => ({
  update:
    'SET #dueAtMs = if_not_exists(#dueAtMs, :dueAtMs), #heldSinceMs = if_not_exists(#heldSinceMs, :changedAtMs), ' +
    '#rev = if_not_exists(#rev, :zero), #dueShard = :dueShard ' +
    (changed.length > 0 ? 'ADD #touch :one, #changed :changed' : 'ADD #touch :one'),
  values: {
    dueAtMs,
    changedAtMs,
    dueShard: dueShardText(uuid),
    zero: 0,
    one: 1,
    ...(changed.length > 0 && { changed: new Set(changed) }),
  },
});

/** A marker that is done keeps its expiry, and is never armed again. */
export const armChange = ({ uuid }: DueRowKey, dueAtMs: number): Change => ({
  update:
    'SET #dueAtMs = :dueAtMs, #dueShard = :dueShard, #rev = if_not_exists(#rev, :zero), #touch = if_not_exists(#touch, :zero)',
  condition: 'attribute_not_exists(#dueAtMs) AND attribute_not_exists(#expiresAt)',
  values: { dueAtMs, dueShard: dueShardText(uuid), zero: 0 },
});

export const disarmChange = ({
  revision,
  changeCount,
}: {
  revision: number;
  changeCount: number;
}): Change => ({
  update: 'REMOVE #dueAtMs, #heldSinceMs, #changed ADD #rev :one',
  condition: `${isAsRead} AND ${isUnchanged}`,
  values: { rev: revision, touch: changeCount, one: 1 },
});

export const rearmChange = ({ revision }: { revision: number }, dueAtMs: number): Change => ({
  update: 'SET #dueAtMs = :dueAtMs ADD #rev :one',
  condition: isAsRead,
  values: { rev: revision, dueAtMs, one: 1 },
});

/** What is told from here on begins with the next change: `heldSinceMs` and `changed` begin anew. */
export const claimChange = ({ revision, inflight, dueAtMs }: Claim): Change => ({
  update: 'SET #inflight = :inflight, #dueAtMs = :dueAtMs REMOVE #heldSinceMs, #changed ADD #rev :one',
  condition: `${isAsRead} AND ${isFree}`,
  values: { rev: revision, inflight: inflightItem(inflight), dueAtMs, one: 1 },
});

export const renewLeaseChange = (
  { revision }: { revision: number },
  { nowMs, dueAtMs }: { nowMs: number; dueAtMs: number },
): Change => ({
  update: 'SET #dueAtMs = :dueAtMs, #inflight.#attempts = #inflight.#attempts + :one ADD #rev :one',
  condition: `${isAsRead} AND attribute_exists(#inflight) AND #dueAtMs <= :nowMs`,
  values: { rev: revision, nowMs, dueAtMs, one: 1 },
  returns: 'ALL_NEW',
});

/** Everything that the cursor knew of is told. */
export const settleChange = ({ eventId, changeCount, to, nowMs }: Settlement): Change => ({
  update: 'SET #notifiedVersion = :to, #lastSentAtMs = :nowMs REMOVE #inflight, #dueAtMs ADD #rev :one',
  condition: `${isOurs} AND ${isUnchanged}`,
  values: { eventId, touch: changeCount, to, nowMs, one: 1 },
});

/** Something changed while it was sent: the cursor is looked at again. */
export const settleAndRearmChange = ({ eventId, to, nowMs, rearmAtMs }: Settlement): Change => ({
  update:
    'SET #notifiedVersion = :to, #lastSentAtMs = :nowMs, #dueAtMs = :rearmAtMs REMOVE #inflight ADD #rev :one',
  condition: isOurs,
  values: { eventId, to, nowMs, rearmAtMs, one: 1 },
});

export const settleMarkerChange = ({ eventId, nowMs }: Settlement): Change => ({
  update: 'SET #lastSentAtMs = :nowMs, #expiresAt = :expiresAt REMOVE #inflight, #dueAtMs ADD #rev :one',
  condition: isOurs,
  values: { eventId, nowMs, expiresAt: markerExpiresAt(nowMs), one: 1 },
});
