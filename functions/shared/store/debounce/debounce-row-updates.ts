import type { DueRowKey } from '../../domain/event/debounce-row.ts';
import type { Claim, CompletedSend, RecordedChange } from './debounce-row-store.ts';
import { dueShardText, markerExpiresAt } from './keys.ts';
import type { RowUpdate } from './update.ts';

/** Conditions for changes of a debounce row or marker; recording a change has none. */
const isAsRead = '#revision = :revision';
const isUnchanged = '#changeCount = :changeCount';
const isStillAsRead = `${isAsRead} AND ${isUnchanged}`;
const isFree = 'attribute_not_exists(#inflight)';
const isOurs = '#inflight.#eventId = :eventId';
const isLeaseOver = '#inflight.#leasedUntilMs <= :nowMs';

/** DynamoDB has no empty sets, so a change without named elements merges none. */
export const recordChangeUpdate = ({ uuid, changed, dueAtMs }: RecordedChange): RowUpdate => ({
  update:
    'SET #dueAtMs = if_not_exists(#dueAtMs, :dueAtMs), #revision = if_not_exists(#revision, :zero), #dueShard = :dueShard ' +
    (changed.length > 0 ? 'ADD #changeCount :one, #changed :changed' : 'ADD #changeCount :one'),
  values: {
    dueAtMs,
    dueShard: dueShardText(uuid),
    zero: 0,
    one: 1,
    ...(changed.length > 0 && { changed: new Set(changed) }),
  },
});

/** A completed marker keeps its expiry, and is never scheduled again. */
export const scheduleUpdate = ({ uuid }: DueRowKey, dueAtMs: number): RowUpdate => ({
  update:
    'SET #dueAtMs = :dueAtMs, #dueShard = :dueShard, #revision = if_not_exists(#revision, :zero), #changeCount = if_not_exists(#changeCount, :zero)',
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
  update: 'REMOVE #dueAtMs, #changed ADD #revision :one',
  condition: isStillAsRead,
  values: { revision, changeCount, one: 1 },
});

/** Nothing is sent up to this version, and nothing happened since the row was read. */
export const passOverUpdate = (
  { revision, changeCount }: { revision: number; changeCount: number },
  version: number,
): RowUpdate => ({
  update: 'SET #notifiedVersion = :to REMOVE #dueAtMs, #changed ADD #revision :one',
  condition: isStillAsRead,
  values: { revision, changeCount, to: version, one: 1 },
});

/** The row is due later. */
export const rescheduleUpdate = ({ revision }: { revision: number }, dueAtMs: number): RowUpdate => ({
  update: 'SET #dueAtMs = :dueAtMs ADD #revision :one',
  condition: isAsRead,
  values: { revision, dueAtMs, one: 1 },
});

/**
 * `changed` starts again for the next event. The row keeps its place in the due index, because moving it costs two writes;
 * pollers see the lease.
 */
export const claimUpdate = ({ revision, inflight }: Claim): RowUpdate => ({
  update: 'SET #inflight = :inflight REMOVE #changed ADD #revision :one',
  condition: `${isAsRead} AND ${isFree}`,
  values: { revision, inflight, one: 1 },
});

/** Takes over an ended lease. The row moves, so that a row that always fails does not stay first. */
export const renewLeaseUpdate = (
  { revision }: { revision: number },
  { nowMs, dueAtMs }: { nowMs: number; dueAtMs: number },
): RowUpdate => ({
  update: 'SET #dueAtMs = :dueAtMs, #inflight.#attempts = #inflight.#attempts + :one ADD #revision :one',
  condition: `${isAsRead} AND attribute_exists(#inflight) AND #dueAtMs <= :nowMs AND ${isLeaseOver}`,
  values: { revision, nowMs, dueAtMs, one: 1 },
  returns: 'ALL_NEW',
});

/** No change came while the event was sent: the row is unscheduled. */
export const completeUpdate = ({ eventId, changeCount, to, nowMs }: CompletedSend): RowUpdate => ({
  update: 'SET #notifiedVersion = :to, #lastSentAtMs = :nowMs REMOVE #inflight, #dueAtMs ADD #revision :one',
  condition: `${isOurs} AND ${isUnchanged}`,
  values: { eventId, changeCount, to, nowMs, one: 1 },
});

/** A change came while the event was sent: the row is due again. */
export const completeAndRescheduleUpdate = ({
  eventId,
  to,
  nowMs,
  rescheduleAtMs,
}: CompletedSend): RowUpdate => ({
  update:
    'SET #notifiedVersion = :to, #lastSentAtMs = :nowMs, #dueAtMs = :rescheduleAtMs REMOVE #inflight ADD #revision :one',
  condition: isOurs,
  values: { eventId, to, nowMs, rescheduleAtMs, one: 1 },
});

/** The completion is sent: its marker is done, and expires. */
export const completeMarkerUpdate = ({ eventId, nowMs }: CompletedSend): RowUpdate => ({
  update: 'SET #lastSentAtMs = :nowMs, #expiresAt = :expiresAt REMOVE #inflight, #dueAtMs ADD #revision :one',
  condition: isOurs,
  values: { eventId, nowMs, expiresAt: markerExpiresAt(nowMs), one: 1 },
});
