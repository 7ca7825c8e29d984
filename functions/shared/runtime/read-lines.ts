import { type Lines, requestLines } from './request-lines.ts';

/** Log lines of lists. */
export const listLines = {
  listDrifts: {
    code: 'LISTING_DRIFTS',
    level: 'error',
    message: 'A list did not match its total in any of four reads.',
  },
} as const satisfies Lines<string>;

/** Log lines of functions that answer lists. */
export const readLines = { ...requestLines, ...listLines } as const satisfies Lines<string>;
