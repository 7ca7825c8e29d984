/**
 * Statuses after which a retry is safe: the request was not carried out, or its idempotency key makes a second time
 * harmless.
 */
const transient: readonly number[] = [429, 502, 503, 504];

export const isTransient = (status: number): boolean => transient.includes(status);

/** The wait in `Retry-After`: seconds or a date (RFC 9110 section 10.2.3). */
export const retryAfterMs = (value: string | null, nowMs: number): number | undefined => {
  if (value === null) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1_000;
  const atMs = dateShape.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
};

/** `Date.parse` accepts nearly any text with a number: `-1` is a date of 2001. */
const dateShape = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

const baseMs = 250;
const largestMs = 20_000;

/**
 * The pause before the next attempt: full jitter up to a limit that doubles, so that clients that failed together do
 * not retry together. Added to the wait of `Retry-After`.
 */
export const pauseMs = ({
  failures,
  askedMs = 0,
  random,
}: {
  failures: number;
  askedMs?: number | undefined;
  random: () => number;
}): number => askedMs + Math.floor(random() * Math.min(largestMs, baseMs * 2 ** failures));
