import * as z from 'zod/mini';

export const timeForm = 'a time in UTC such as 2026-11-22T12:00:00Z';

/** Digits after milliseconds are ignored, so programs may send their nanoseconds (V2-7, V2-10). */
export const timeText = (refusal: string) => z.iso.datetime(refusal).check(z.maxLength(30, refusal));

const known = timeText('');

/** The milliseconds of a UTC time. Undefined for any other text and for a day that does not exist. */
export const readTime = (text: string): number | undefined =>
  known.safeParse(text).success ? Date.parse(text) : undefined;
