import { type ChainType, isChainType, type MessageType, type VersionRange } from './event.ts';
import type { SuppressionReason } from './recipient.ts';

/**
 * READY: to be sent. HELD: its partner is paused. ACCEPTED: the bus has it. DELIVERED: the endpoint answered 2xx. DEAD:
 * given up, or waiting to be retried. SUPPRESSED: not sent, for a reason.
 */
export const deliveryStates = ['READY', 'HELD', 'ACCEPTED', 'DELIVERED', 'DEAD', 'SUPPRESSED'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Why a delivery is DEAD or SUPPRESSED. `HTTP_<status>`, `TIMEOUT`, `DNS` and so on come from dead letters. */
export type DeliveryReason =
  | SuppressionReason
  /** The bus refused the entry five times. */
  | 'REFUSED_BY_BUS'
  /** A later event covers its versions, too. */
  | 'COALESCED'
  /** The transaction was deleted after it. */
  | 'DELETED'
  /** Its body is no longer stored. */
  | 'EXPIRED'
  /** A restored table no longer has the completion (DR-10). */
  | 'UNDONE'
  | (string & {});

/** A step in the life of a delivery, as the delivery log stores it. */
export type TimelineStep =
  | 'changed'
  | 'claimed'
  | 'held'
  | 'refused'
  | 'accepted'
  | 'attempted'
  | 'delivered'
  | 'dead'
  | 'suppressed'
  | 'scheduled'
  | 'undone';
/** A step with its time and a note. An accepted step and a dead letter have the bus's id of the entry. */
export type StatusEntry = { atMs: number; step: TimelineStep; note?: string; busEventId?: string };

/** One event on its way to one partner. */
export type Delivery = VersionRange & {
  eventId: string;
  clientId: string;
  type: MessageType;
  uuid: string;
  claimedAtMs: number;
  state: DeliveryState;
  reason?: DeliveryReason;
  timeline: StatusEntry[];
  /** How often the bus refused this entry. */
  refusals: number;
  /** How often the endpoint failed it. The pause before the next try depends on it. */
  failures: number;
  /** +1 each time it is leased to be sent again, even if it was not sent then. */
  redrives: number;
  /** The bus's id of the last accepted entry, as its logs have it. */
  busEventId?: string;
  /** When it is due by itself: a redrive, a replay, a resumed delivery. Never together with an expiry (I12). */
  dueAtMs?: number;
  /** A person asked for exactly this event: it is sent as stored, even after newer ones (EV-12). */
  isStandalone?: true;
};

/** The key of a delivery. */
export type DeliveryKey = Pick<Delivery, 'eventId' | 'clientId'>;

/** Whether a newer event may stand for it: an update that nobody asked for by itself (EV-12). */
export const isOfChain = (delivery: Delivery): delivery is Delivery & { type: ChainType } =>
  isChainType(delivery.type) && !delivery.isStandalone;

/** Whether the bus gave it up and nothing sends it again automatically. */
export const isGivenUp = ({ state, dueAtMs }: Delivery): boolean => state === 'DEAD' && dueAtMs === undefined;

/** Whether a restore undid the completion after the bus had accepted it (DR-10). Then only a person sends it again. */
export const isUndone = ({ timeline }: Pick<Delivery, 'timeline'>): boolean =>
  timeline.findLast(({ step }) => step === 'accepted' || step === 'undone')?.step === 'undone';

/** What the bus reports about a delivery that it gave up. Contains nothing of the message. */
export type DeliveryFault = {
  code: string;
  /** The status of the endpoint's last answer. */
  status?: number;
  kind: 'answered' | 'timed-out' | 'unreachable' | 'other';
  /** The bus tried for as long as its retry policy allows. */
  isExhausted: boolean;
};

/** Why the delivery is DEAD, as a constant text. */
export const deadReasonOf = ({ code, status, kind, isExhausted }: DeliveryFault): DeliveryReason => {
  if (code === 'NO_RESOURCE') return 'TARGET_REMOVED';
  if (isExhausted) return 'EXHAUSTED';
  if (status !== undefined) return `HTTP_${status}`;
  if (kind === 'timed-out') return 'TIMEOUT';
  return kind === 'unreachable' ? 'DNS' : code;
};

/**
 * Failures that may pass: an endpoint that is being set up, moved or repaired, and a target that was missing and is
 * back. A pause may end before the last dead letter.
 */
const triedAgain: readonly DeliveryReason[] = [
  ...['HTTP_403', 'HTTP_404', 'HTTP_408', 'HTTP_410'],
  ...['DNS', 'TARGET_REMOVED'],
];

const minute = 60_000;
const hour = 60 * minute;

/** The pauses between redrives: nearly two days in all. */
const pausesMs = [15 * minute, hour, 4 * hour, 12 * hour, 24 * hour];

/** A missing target is the operator's doing. The endpoint was not asked, so no try is used up. */
export const isFailure = (reason: DeliveryReason | undefined): boolean => reason !== 'TARGET_REMOVED';

/** A removed target comes back within minutes. If it does not, a person decides after five hours. */
const withoutTarget = { pauseMs: 15 * minute, mostRedrives: 20 };

/**
 * When a dead delivery is retried automatically. Undefined if it waits for a person: an endpoint that refuses a body
 * will refuse it again, and the bus has tried an exhausted one for a day. The counts are those before this failure.
 */
export const redriveAtMs = (
  reason: DeliveryReason,
  counts: Pick<Delivery, 'failures' | 'redrives'>,
  nowMs: number,
): number | undefined => {
  const pauseMs = triedAgain.includes(reason) ? pauseAfter(reason, counts) : undefined;
  return pauseMs === undefined ? undefined : nowMs + pauseMs;
};

const pauseAfter = (
  reason: DeliveryReason,
  { failures, redrives }: Pick<Delivery, 'failures' | 'redrives'>,
) => {
  if (isFailure(reason)) return pausesMs[failures];
  return redrives < withoutTarget.mostRedrives ? withoutTarget.pauseMs : undefined;
};
