import type { DeliveryReason } from './delivery.ts';

/** What the bus says about a delivery that it gave up (aws-facts, "DLQ"). Nothing in it is of the message. */
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
 * What an endpoint that is being set up, moved or mended answers, or does not answer; and what the bus gave up for want of a
 * target that came back since, as a recall leaves it. Each sending is judged anew: where nothing came back, it ends there.
 */
const triedAgain: readonly DeliveryReason[] = [
  ...['HTTP_403', 'HTTP_404', 'HTTP_408', 'HTTP_410'],
  ...['DNS', 'TARGET_REMOVED'],
];

const minute = 60_000;
const hour = 60 * minute;
/** How long after each failure it is tried again: a day and a half and more, all in all. */
const pausesMs = [15 * minute, hour, 4 * hour, 12 * hour, 24 * hour];

/**
 * When a dead delivery is tried again by itself; undefined where it waits for a person (events 7): a body that the endpoint
 * does not take stays the same body, and the bus has tried for a day what it gives up as exhausted.
 */
export const redriveAtMs = (
  reason: DeliveryReason,
  { redrives }: { redrives: number },
  nowMs: number,
): number | undefined => {
  const pauseMs = triedAgain.includes(reason) ? pausesMs[redrives] : undefined;
  return pauseMs === undefined ? undefined : nowMs + pauseMs;
};
