import { type ChainType, isChainType, type MessageType, type VersionRange } from './event.ts';
import type { SuppressionReason } from './recipient.ts';

/**
 * READY: to be sent. HELD: its partner is paused. ACCEPTED: the bus has it. DELIVERED: the endpoint answered 2xx.
 * DEAD: given up, or waiting to be tried again. SUPPRESSED: not sent, for a reason.
 */
export const deliveryStates = ['READY', 'HELD', 'ACCEPTED', 'DELIVERED', 'DEAD', 'SUPPRESSED'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Why a delivery is DEAD or SUPPRESSED. `HTTP_<status>`, `TIMEOUT`, `DNS`… come from dead letters. */
export type DeliveryReason =
  | SuppressionReason
  /** The bus refused the entry five times. */
  | 'REFUSED_BY_BUS'
  /** A later event covers its range, too. */
  | 'COALESCED'
  /** The transaction was deleted after it. */
  | 'DELETED'
  /** Its body is not kept any more. */
  | 'EXPIRED'
  /** A restored table does not know the completion any more (DR-10). */
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
/** A step with its time, and what is to be known of it; of an accepted one, and of a dead letter, the bus's own id. */
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
  /** How often the endpoint failed it: the pause before the next try depends on it. */
  failures: number;
  /** +1 each time it is leased to be sent again, also where that sending never left. */
  redrives: number;
  /** The bus's own id of the last accepted entry: what its logs call it. */
  busEventId?: string;
  /** When it is due by itself: redrives, replays, resumed ones. Never together with an expiry (I12). */
  dueAtMs?: number;
  /** A person asked for this very event: it is sent as it is, whatever was sent since (EV-12). */
  isStandalone?: true;
};

/** What names a delivery. */
export type DeliveryKey = Pick<Delivery, 'eventId' | 'clientId'>;

/** Whether it may be sent as part of a newer event: an update that nobody asked for by itself (EV-12). */
export const isOfChain = (delivery: Delivery): delivery is Delivery & { type: ChainType } =>
  isChainType(delivery.type) && !delivery.isStandalone;

/** Whether the bus gave it up, and nothing sends it again by itself. */
export const isGivenUp = ({ state, dueAtMs }: Delivery): boolean => state === 'DEAD' && dueAtMs === undefined;

/** Whether a restore undid the completion after the bus had accepted it (DR-10): then only a person sends it again. */
export const isUndone = ({ timeline }: Pick<Delivery, 'timeline'>): boolean =>
  timeline.findLast(({ step }) => step === 'accepted' || step === 'undone')?.step === 'undone';

/** What the bus says about a delivery that it gave up. Nothing in it is of the message. */
export type DeliveryFault = {
  code: string;
  /** Of the endpoint's last answer. */
  status?: number;
  kind: 'answered' | 'timed-out' | 'unreachable' | 'other';
  /** The bus tried for as long as its retry policy says. */
  isExhausted: boolean;
};

/** Why the delivery is DEAD, in words that stay the same. */
export const deadReasonOf = ({ code, status, kind, isExhausted }: DeliveryFault): DeliveryReason => {
  if (code === 'NO_RESOURCE') return 'TARGET_REMOVED';
  if (isExhausted) return 'EXHAUSTED';
  if (status !== undefined) return `HTTP_${status}`;
  if (kind === 'timed-out') return 'TIMEOUT';
  return kind === 'unreachable' ? 'DNS' : code;
};

/**
 * What an endpoint answers, or does not answer, while it is set up, moved or mended; and what the bus gave up for want of a
 * target that came back since: a pause may end before the last dead letter.
 */
const triedAgain: readonly DeliveryReason[] = [
  ...['HTTP_403', 'HTTP_404', 'HTTP_408', 'HTTP_410'],
  ...['DNS', 'TARGET_REMOVED'],
];

const minute = 60_000;
const hour = 60 * minute;

/** How long after each failure it is tried again: nearly two days, all in all. */
const pausesMs = [15 * minute, hour, 4 * hour, 12 * hour, 24 * hour];

/** What the bus gave up for want of a target is the operator's doing: the endpoint was not asked, so no try is used up. */
export const isFailure = (reason: DeliveryReason | undefined): boolean => reason !== 'TARGET_REMOVED';

/** A target that is taken away comes back within minutes; where it does not, a person looks after five hours. */
const withoutTarget = { pauseMs: 15 * minute, mostRedrives: 20 };

/**
 * When a dead delivery is tried again by itself; undefined where it waits for a person: a body that the endpoint does not
 * take stays the same body, and the bus has tried for a day what it gives up as exhausted. Counts are those before.
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
