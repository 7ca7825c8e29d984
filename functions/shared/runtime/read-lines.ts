import { type Lines, requestLines } from './request-lines.ts';

/** What a function may log that answers lists. */
export const readLines = {
  ...requestLines,
  listDrifts: {
    code: 'LISTING_DRIFTS',
    level: 'error',
    message: 'A list did not match its total in any of four reads.',
  },
} as const satisfies Lines<string>;
