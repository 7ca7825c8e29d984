import type { DueRowKey } from '../../domain/event/cursor.ts';
import type { Claim, Settlement, WakeUp } from './cursor-store.ts';
import { dueShardText, markerExpiresAt } from './keys.ts';
import type { Change } from './update.ts';

/** The changes of a cursor or marker, each on its condition. */
const isAsRead = '#rev = :rev';
const isUntouched = '#touch = :touch';
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

export const disarmChange = ({ rev, touch }: { rev: number; touch: number }): Change => ({
  update: 'REMOVE #dueAtMs, #heldSinceMs, #changed ADD #rev :one',
  condition: `${isAsRead} AND ${isUntouched}`,
  values: { rev, touch, one: 1 },
});

export const rearmChange = ({ rev }: { rev: number }, dueAtMs: number): Change => ({
  update: 'SET #dueAtMs = :dueAtMs ADD #rev :one',
  condition: isAsRead,
  values: { rev, dueAtMs, one: 1 },
});

/** What is told from here on begins with the next change: `heldSinceMs` and `changed` begin anew. */
export const claimChange = ({ rev, inflight, dueAtMs }: Claim): Change => ({
  update: 'SET #inflight = :inflight, #dueAtMs = :dueAtMs REMOVE #heldSinceMs, #changed ADD #rev :one',
  condition: `${isAsRead} AND ${isFree}`,
  values: { rev, inflight, dueAtMs, one: 1 },
});

export const renewLeaseChange = (
  { rev }: { rev: number },
  { nowMs, dueAtMs }: { nowMs: number; dueAtMs: number },
): Change => ({
  update: 'SET #dueAtMs = :dueAtMs, #inflight.#attempts = #inflight.#attempts + :one ADD #rev :one',
  condition: `${isAsRead} AND attribute_exists(#inflight) AND #dueAtMs <= :nowMs`,
  values: { rev, nowMs, dueAtMs, one: 1 },
  returns: 'ALL_NEW',
});

/** Everything that the cursor knew of is told. */
export const settleChange = ({ eventId, touch, to, nowMs }: Settlement): Change => ({
  update: 'SET #notifiedVersion = :to, #lastSentAtMs = :nowMs REMOVE #inflight, #dueAtMs ADD #rev :one',
  condition: `${isOurs} AND ${isUntouched}`,
  values: { eventId, touch, to, nowMs, one: 1 },
});

/** Something changed while it was sent: the cursor is looked at again. */
export const settleTouchedChange = ({ eventId, to, nowMs, rearmAtMs }: Settlement): Change => ({
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
