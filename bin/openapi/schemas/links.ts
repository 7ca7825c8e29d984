import { z } from 'zod';

/** The address of a link. */
export const href = z.url().describe('The absolute address to follow, as it is.');

export const selfLinks = (what: string) =>
  z.strictObject({ self: z.strictObject({ href }).describe(what) }).describe('Where to look next.');
