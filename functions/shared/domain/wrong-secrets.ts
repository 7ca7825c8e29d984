/** From one network, this many wrong secrets of one client in this time are answered; what comes then waits (O-55). */
export const mostWrong = 20;
export const wrongSecretMs = 60_000;

/** Of times, those that still count; oldest first. */
export const recentTimes = (times: readonly number[], nowMs: number): number[] =>
  times.filter((atMs) => atMs > nowMs - wrongSecretMs).sort((one, other) => one - other);

/** Until when the client is not heard from there, given the times of its wrong secrets; undefined while it is. */
export const refusedUntilMs = (times: readonly number[], nowMs: number): number | undefined => {
  const firstTooMany = recentTimes(times, nowMs).at(-mostWrong - 1);
  return firstTooMany === undefined ? undefined : firstTooMany + wrongSecretMs;
};

/** Why a client is not let in, for the log and the metrics alone: callers are told nothing of it (O-16). */
export type RefusalCause =
  | 'impossible-client'
  | 'unknown-client'
  | 'disabled-client'
  | 'wrong-secret'
  | 'ended-secret'
  | 'guessing';
