/**
 * How many wrong secrets of one client from one network are answered in this time. Further requests are refused for a
 * while (O-55).
 */
export const mostWrong = 20;
export const wrongSecretMs = 60_000;

/** The times that still count, oldest first. */
export const recentTimes = (times: readonly number[], nowMs: number): number[] =>
  times.filter((atMs) => atMs > nowMs - wrongSecretMs).sort((one, other) => one - other);

/** Until when the client is refused from there, given the times of its wrong secrets. Undefined if it is not. */
export const refusedUntilMs = (times: readonly number[], nowMs: number): number | undefined => {
  const firstTooMany = recentTimes(times, nowMs).at(-mostWrong - 1);
  return firstTooMany === undefined ? undefined : firstTooMany + wrongSecretMs;
};

/** Why a client was refused, for the log and metrics only. Callers do not learn the reason (O-16). */
export type RefusalCause =
  | 'impossible-client'
  | 'unknown-client'
  | 'disabled-client'
  | 'wrong-secret'
  | 'ended-secret'
  | 'guessing';
