/** How many requests of a kind one partner may make within any such span. */
export type RatePolicy = { name: string; quota: number; windowSeconds: number };

/** Having things sent again: each request reads and arms up to a hundred events. */
export const replayPolicy: RatePolicy = { name: 'replay', quota: 60, windowSeconds: 600 };
/** Tests of the webhook. */
export const webhookTestPolicy: RatePolicy = { name: 'webhook-test', quota: 10, windowSeconds: 600 };

/** Where a partner stands after a request: whether it was taken, how many more are, and when the next one comes back. */
export type RateStanding = { isTaken: boolean; remaining: number; resetSeconds: number };

/** Of the times of requests, those that still count; oldest first. */
export const countedTimes = (
  times: readonly number[],
  { windowSeconds }: RatePolicy,
  nowMs: number,
): number[] => times.filter((atMs) => atMs > nowMs - windowSeconds * 1000).sort((one, other) => one - other);

/** The standing of a partner whose taken requests, this one among them, were at these times. */
export const standingOf = (
  counted: readonly number[],
  { quota, windowSeconds }: RatePolicy,
  { isTaken, nowMs }: { isTaken: boolean; nowMs: number },
): RateStanding => ({
  isTaken,
  remaining: Math.max(0, quota - counted.length),
  resetSeconds: Math.ceil(((counted[0] ?? nowMs) + windowSeconds * 1000 - nowMs) / 1000),
});
