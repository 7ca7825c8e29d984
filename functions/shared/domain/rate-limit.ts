/**
 * How many requests of a kind one partner may make in each window. Windows begin at multiples of their length since
 * 1970.
 */
export type RatePolicy = {
  name: string;
  quota: number;
  windowSeconds: number;
  /** How many requests a process counts by itself before it adds them to the common count, as one share. */
  shareSize: number;
};

/** All requests of a partner to V2, with any token (S-40). A share of 30 makes one write for 30 requests. */
export const partnerPolicy = (quota: number): RatePolicy => ({
  name: 'partner',
  quota,
  windowSeconds: 60,
  shareSize: 30,
});
/** Replays: each request reads and schedules up to a hundred events. */
export const replayPolicy: RatePolicy = { name: 'replay', quota: 60, windowSeconds: 600, shareSize: 1 };
/** Tests of the webhook. */
export const webhookTestPolicy: RatePolicy = {
  name: 'webhook-test',
  quota: 10,
  windowSeconds: 600,
  shareSize: 1,
};

/** A partner's changes of its webhook and of its client secret, together (V2-13). */
export const selfServicePolicy: RatePolicy = {
  name: 'self-service',
  quota: 10,
  windowSeconds: 600,
  shareSize: 1,
};

/**
 * The state of a partner's limit after a request: whether it was accepted, how many more will be, and when the next
 * window begins.
 */
export type RateStanding = { isTaken: boolean; remaining: number; resetSeconds: number };

/** When the window of a time began, in seconds since 1970. */
export const windowStartOf = ({ windowSeconds }: RatePolicy, nowMs: number): number =>
  Math.floor(nowMs / 1000 / windowSeconds) * windowSeconds;

/** The state of the limit for a partner with this many requests in the window, including the present one. */
export const standingOf = (known: number, policy: RatePolicy, nowMs: number): RateStanding => ({
  isTaken: known <= policy.quota,
  remaining: Math.max(0, policy.quota - known),
  resetSeconds: Math.ceil(windowStartOf(policy, nowMs) + policy.windowSeconds - nowMs / 1000),
});
