import type { Written } from './response.ts';

/** A Lambda answer is JSON of at most 6 MB, in which the body is a string with its quotes escaped; 64 kB for the rest. */
const largestBodyBytes = (6 * 1024 - 64) * 1024;

/** Whether Lambda would refuse the answer, which the caller would see as 502 (S-35). */
export const isTooLarge = ({ body }: Written): boolean =>
  couldBeTooLarge(body) && Buffer.byteLength(JSON.stringify(body)) > largestBodyBytes;

/** At worst a UTF-16 unit takes six bytes as an escape; small answers need no second look. */
const couldBeTooLarge = (body: string) => body.length * 6 > largestBodyBytes;
