/** How many requests of a kind one partner may make in each window. Windows begin at multiples of their length since 1970. */
export type RatePolicy = {
  name: string;
  quota: number;
  windowSeconds: number;
  /** A process counts so many by itself before it adds them, as one share, to what all processes count. */
  shareSize: number;
};

/** All requests of a partner to V2, whatever token they bear (S-40). A share of 30: one write for 30 requests. */
export const partnerPolicy = (quota: number): RatePolicy => ({
  name: 'partner',
  quota,
  windowSeconds: 60,
  shareSize: 30,
});
/** Having things sent again: each request reads and schedules up to a hundred events. */
export const replayPolicy: RatePolicy = { name: 'replay', quota: 60, windowSeconds: 600, shareSize: 1 };
/** Tests of the webhook. */
export const webhookTestPolicy: RatePolicy = {
  name: 'webhook-test',
  quota: 10,
  windowSeconds: 600,
  shareSize: 1,
};

/** A partner's own changes of its webhook and of its client secret, together (V2-13). */
export const selfServicePolicy: RatePolicy = {
  name: 'self-service',
  quota: 10,
  windowSeconds: 600,
  shareSize: 1,
};

/** Where a partner stands after a request: whether it was taken, how many more are, and when the next window begins. */
export type RateStanding = { isTaken: boolean; remaining: number; resetSeconds: number };

/** When the window of a time began, in seconds since 1970. */
export const windowStartOf = ({ windowSeconds }: RatePolicy, nowMs: number): number =>
  Math.floor(nowMs / 1000 / windowSeconds) * windowSeconds;

/** The standing of a partner whose requests in this window are known to be so many, this one among them. */
export const standingOf = (known: number, policy: RatePolicy, nowMs: number): RateStanding => ({
  isTaken: known <= policy.quota,
  remaining: Math.max(0, policy.quota - known),
  resetSeconds: Math.ceil(windowStartOf(policy, nowMs) + policy.windowSeconds - nowMs / 1000),
});
