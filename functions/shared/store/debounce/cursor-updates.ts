import type { DueRowKey } from '../../domain/event/cursor.ts';
import { inflightItem } from './cursor-items.ts';
import type { Claim, RecordedChange, Settlement } from './cursor-store.ts';
import { dueShardText, markerExpiresAt } from './keys.ts';
import type { RowUpdate } from './update.ts';

/** Conditions under which a cursor or marker changes; recording a change needs none. */
const isAsRead = '#rev = :rev';
const isUnchanged = '#touch = :touch';
const isStillAsRead = `${isAsRead} AND ${isUnchanged}`;
const isFree = 'attribute_not_exists(#inflight)';
const isOurs = '#inflight.#eventId = :eventId';
const isLeaseOver = '(attribute_not_exists(#inflight.#leasedUntilMs) OR #inflight.#leasedUntilMs <= :nowMs)';

/** DynamoDB takes no empty set, so a change without a named element merges none. */
export const recordChangeUpdate = ({ uuid, changed, changedAtMs, dueAtMs }: RecordedChange): RowUpdate => ({
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

/** A marker that is done keeps its expiry, and is never scheduled again. */
export const scheduleUpdate = ({ uuid }: DueRowKey, dueAtMs: number): RowUpdate => ({
  update:
    'SET #dueAtMs = :dueAtMs, #dueShard = :dueShard, #rev = if_not_exists(#rev, :zero), #touch = if_not_exists(#touch, :zero)',
  condition: 'attribute_not_exists(#dueAtMs) AND attribute_not_exists(#expiresAt)',
  values: { dueAtMs, dueShard: dueShardText(uuid), zero: 0 },
});

/** Nothing is pending, and nothing happened since the row was read. */
export const unscheduleUpdate = ({
  revision,
  changeCount,
}: {
  revision: number;
  changeCount: number;
}): RowUpdate => ({
  update: 'REMOVE #dueAtMs, #heldSinceMs, #changed ADD #rev :one',
  condition: isStillAsRead,
  values: { rev: revision, touch: changeCount, one: 1 },
});

/** Nothing is told up to this version, and nothing happened since the row was read: the next event begins after it. */
export const passOverUpdate = (
  { revision, changeCount }: { revision: number; changeCount: number },
  version: number,
): RowUpdate => ({
  update: 'SET #notifiedVersion = :to REMOVE #dueAtMs, #heldSinceMs, #changed ADD #rev :one',
  condition: isStillAsRead,
  values: { rev: revision, touch: changeCount, to: version, one: 1 },
});

/** The row is due later. */
export const rescheduleUpdate = ({ revision }: { revision: number }, dueAtMs: number): RowUpdate => ({
  update: 'SET #dueAtMs = :dueAtMs ADD #rev :one',
  condition: isAsRead,
  values: { rev: revision, dueAtMs, one: 1 },
});

/**
 * The next event begins with the next change: `heldSinceMs` and `changed` begin anew. The row stays where it is in the index of
 * what is due, for a changed key costs two writes there; whoever finds it sees the lease.
 */
export const claimUpdate = ({ revision, inflight }: Claim): RowUpdate => ({
  update: 'SET #inflight = :inflight REMOVE #heldSinceMs, #changed ADD #rev :one',
  condition: `${isAsRead} AND ${isFree}`,
  values: { rev: revision, inflight: inflightItem(inflight), one: 1 },
});

/** Takes over a claim whose lease has ended. The row moves, so that what fails again and again stands before no other. */
export const renewLeaseUpdate = (
  { revision }: { revision: number },
  { nowMs, dueAtMs }: { nowMs: number; dueAtMs: number },
): RowUpdate => ({
  update: 'SET #dueAtMs = :dueAtMs, #inflight.#attempts = #inflight.#attempts + :one ADD #rev :one',
  condition: `${isAsRead} AND attribute_exists(#inflight) AND #dueAtMs <= :nowMs AND ${isLeaseOver}`,
  values: { rev: revision, nowMs, dueAtMs, one: 1 },
  returns: 'ALL_NEW',
});

/** No change came in while the event was sent: nothing is scheduled any more. */
export const settleUpdate = ({ eventId, changeCount, to, nowMs }: Settlement): RowUpdate => ({
  update: 'SET #notifiedVersion = :to, #lastSentAtMs = :nowMs REMOVE #inflight, #dueAtMs ADD #rev :one',
  condition: `${isOurs} AND ${isUnchanged}`,
  values: { eventId, touch: changeCount, to, nowMs, one: 1 },
});

/** A change was recorded while the event was sent: the cursor is due again. */
export const settleAndRescheduleUpdate = ({ eventId, to, nowMs, rescheduleAtMs }: Settlement): RowUpdate => ({
  update:
    'SET #notifiedVersion = :to, #lastSentAtMs = :nowMs, #dueAtMs = :rescheduleAtMs REMOVE #inflight ADD #rev :one',
  condition: isOurs,
  values: { eventId, to, nowMs, rescheduleAtMs, one: 1 },
});

/** The completion is sent: its marker is done, and expires. */
export const settleMarkerUpdate = ({ eventId, nowMs }: Settlement): RowUpdate => ({
  update: 'SET #lastSentAtMs = :nowMs, #expiresAt = :expiresAt REMOVE #inflight, #dueAtMs ADD #rev :one',
  condition: isOurs,
  values: { eventId, nowMs, expiresAt: markerExpiresAt(nowMs), one: 1 },
});
