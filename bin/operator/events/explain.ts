import {
  type CompletionMarker,
  type DebounceRow,
  decideDebounceRow,
  isNeverNotified,
  notifiedVersionOf,
} from '../../../functions/shared/domain/event/debounce-row.ts';
import type { Delivery } from '../../../functions/shared/domain/event/delivery.ts';
import {
  changedElements,
  type TransactionEvent,
  type VersionRange,
} from '../../../functions/shared/domain/event/event.ts';
import { decideRecipient } from '../../../functions/shared/domain/event/recipient.ts';
import type { EventSettings } from '../../../functions/shared/domain/event/timing.ts';
import { covers } from '../../../functions/shared/domain/ownership/grant.ts';
import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import {
  type DeliveryStatus,
  deliveryStatusOf,
  type EventSummary,
  type Explanation,
} from './delivery-status.ts';

/** The facts about one partner and one transaction. */
export type ExplainFacts = {
  /** Absent when the partner was deleted. */
  partner: Partner | undefined;
  stored: StoredTransaction | undefined;
  /** When the webhooks of the stage were stopped, if they are. */
  stoppedAtMs?: number | undefined;
  debounceRow: DebounceRow | undefined;
  marker: CompletionMarker | undefined;
  /** The transaction's events for any partner, newest first. */
  events: readonly TransactionEvent[];
  /** Deliveries of this transaction to this partner, newest first. */
  deliveries: readonly Delivery[];
  nowMs: number;
  settings: EventSettings;
};

/**
 * Why a partner was notified of a transaction, will be, or was not: what the partner may see now, the pending changes, and
 * the status of each event, newest first. The same policy function decides here, for reads and for sends (GRANT-2).
 */
export const explain = (facts: ExplainFacts): Explanation[] => {
  const { stored } = facts;
  if (!stored) return [{ code: 'UNKNOWN_TRANSACTION' }, ...history(facts)];
  const visibility = [...stopped(facts), ...recipient(facts, stored)];
  const isBlocked = visibility.some(({ code }) => code !== 'RECEIVES');
  return [
    ...(stored.transaction.isDeleted === 1 ? [{ code: 'DELETED_TRANSACTION' } as const] : []),
    ...visibility,
    ...pending(facts, stored),
    ...history(facts).map((status) => (isBlocked ? blocked(status) : status)),
  ];
};

const stopped = ({ stoppedAtMs }: ExplainFacts): Explanation[] =>
  stoppedAtMs === undefined ? [] : [{ code: 'ALL_STOPPED', sinceMs: stoppedAtMs }];

/** The next try decides anew whether to send; as things stand, it sends nothing. */
const blocked = (status: DeliveryStatus): DeliveryStatus => {
  const isTriedAgain =
    status.code === 'SCHEDULED' || (status.code === 'DEAD' && status.nextTryAtMs !== undefined);
  return isTriedAgain ? { ...status, isBlocked: true } : status;
};

const recipient = (facts: ExplainFacts, { transaction: { ndMeta } }: StoredTransaction): Explanation[] => {
  const { partner, deliveries } = facts;
  const held = deliveries.filter(({ state }) => state === 'HELD').length;
  const obstacles = obstaclesOf(partner, { owner: ndMeta, held });
  if (!partner || obstacles.length > 0) return obstacles;
  return [{ code: 'RECEIVES', grants: partner.grants.filter((grant) => covers([grant], ndMeta)) }];
};

/** Lists every obstacle, since the next one would show only after the first is removed. */
const obstaclesOf = (
  partner: Partner | undefined,
  known: { owner: NdMeta | undefined; held: number },
): Explanation[] => {
  if (!partner) return [{ code: 'NO_PARTNER' }];
  const decision = decideRecipient(partner, known.owner);
  switch (decision) {
    case 'send':
      return [];
    case 'hold':
      return [{ code: 'PAUSED', held: known.held }];
    case 'DISABLED':
      return [{ code: 'DISABLED' }, ...obstaclesOf({ ...partner, enabled: true }, known)];
    case 'NO_ENDPOINT':
      return [{ code: 'NO_ENDPOINT' }, ...obstaclesOf({ ...partner, webhookUrl: 'https://any' }, known)];
    case 'MAY_NOT_READ':
      return [{ code: 'MAY_NOT_READ' }, ...obstaclesOf({ ...partner, oauthScopes: ['nop2/read'] }, known)];
    case 'OUT_OF_SCOPE':
      return [{ code: 'OUT_OF_SCOPE', owner: known.owner ?? null, grants: partner.grants }];
    default:
      return decision satisfies never;
  }
};

const pending = (
  { debounceRow, marker, nowMs, settings }: ExplainFacts,
  stored: StoredTransaction,
): Explanation[] => {
  const completion: Explanation[] =
    marker?.dueAtMs === undefined
      ? []
      : [{ code: 'COMPLETION_DUE', atMs: Math.max(marker.dueAtMs, marker.inflight?.leasedUntilMs ?? 0) }];
  return [...completion, updates(debounceRow, stored, { nowMs, settings })];
};

const updates = (
  debounceRow: DebounceRow | undefined,
  stored: StoredTransaction,
  now: { nowMs: number; settings: EventSettings },
): Explanation => {
  if (debounceRow?.inflight) {
    const { from, to, claimedAtMs, attempts } = debounceRow.inflight;
    return { code: 'IN_FLIGHT', from, to, sinceMs: claimedAtMs, attempts };
  }
  const range = { from: notifiedVersionOf(debounceRow, stored), to: stored.version };
  if (isNeverNotified(debounceRow, stored)) return { code: 'NEVER_NOTIFIED' };
  if (range.to <= range.from) return nothingPending(stored);
  const changes = { ...range, elements: changedElements(stored, range.from) };
  if (debounceRow?.dueAtMs === undefined) return { code: 'NOT_SCHEDULED', ...changes };
  const decision = decideDebounceRow(debounceRow, stored, now);
  if (decision.step !== 'reschedule') return { code: 'DUE', ...changes };
  const { lastSentAtMs = 0 } = debounceRow;
  const isSpaced = lastSentAtMs > stored.updatedAtMs;
  return { code: 'DORMANT_AT', atMs: decision.dueAtMs, ...(isSpaced && { lastSentAtMs }), ...changes };
};

/** A transaction without a session was imported (EV-10). */
const nothingPending = ({ version, notifyFromVersion, session }: StoredTransaction): Explanation => {
  if (version >= notifyFromVersion) return { code: 'NOTHING_PENDING', version };
  return { code: session === undefined ? 'UNCHANGED_IMPORT' : 'EMPTY_CHECKOUT' };
};

const history = ({ events, deliveries, nowMs }: ExplainFacts): DeliveryStatus[] => {
  const eventsById = new Map(events.map((event) => [event.eventId, event]));
  const sent = deliveries.map((delivery) =>
    deliveryStatusOf(delivery, summaryOf(eventsById.get(delivery.eventId) ?? delivery), nowMs),
  );
  const sentToOthers = events
    .filter((event) => !deliveries.some((delivery) => coversSameChanges(delivery, event)))
    .map((event): DeliveryStatus => ({ ...summaryOf(event), code: 'NOT_A_RECIPIENT' }));
  return [...sent, ...sentToOthers].toSorted((one, other) => other.claimedAtMs - one.claimedAtMs);
};

/** A pause or a replay may have sent the partner the same changes in another event. */
const coversSameChanges = (delivery: Delivery, event: TransactionEvent) =>
  delivery.type === event.type && overlaps(delivery, event);

const overlaps = (one: VersionRange, other: VersionRange) => one.from < other.to && other.from < one.to;

const summaryOf = ({ eventId, type, from, to, claimedAtMs, ...more }: EventSummary): EventSummary => ({
  ...{ eventId, type, from, to, claimedAtMs },
  ...(more.changedAtMs !== undefined && { changedAtMs: more.changedAtMs }),
});
