import * as z from 'zod/mini';

export const timeForm = 'a time in UTC such as 2026-11-22T12:00:00Z';

/** The days that exist. Named by its schema, because `z.regexes` brings 4 kB of other patterns. */
const days = z.iso.date()._zod.pattern.source;

/**
 * RFC 3339 in UTC, whose offset Python and PHP write as `+00:00`. Digits after milliseconds are ignored, so programs may
 * send their nanoseconds (V2-7, V2-10).
 */
const utcTime = new RegExp(
  `${days.slice(0, -1)}T(?:[01]\\d|2[0-3])(?::[0-5]\\d){2}(?:\\.\\d{1,9})?(?:Z|\\+00:00)$`,
);

/** One check, so that a text with several faults is refused once. */
export const timeText = (refusal: string) => z.stringFormat('date-time', utcTime, refusal);

/** The milliseconds of a UTC time. Undefined for any other text and for a day that does not exist. */
export const readTime = (text: string): number | undefined =>
  utcTime.test(text) ? Date.parse(text) : undefined;
