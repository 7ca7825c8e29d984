import { listLines } from './read-lines.ts';
import type { Lines } from './request-lines.ts';
import { signingLines } from './token-lines.ts';

/** Log lines of checkouts. The access log shows who makes how many, and an alarm counts all. */
export const checkoutLines = {
  ...signingLines,
  ...listLines,
  transactionCreated: {
    code: 'TRANSACTION_CREATED',
    level: 'info',
    message: 'A checkout created a transaction.',
  },
  keySetUnavailable: {
    code: 'KEY_SET_UNAVAILABLE',
    level: 'error',
    message: 'An identity provider returned no key set; nobody could sign in with it.',
  },
} as const satisfies Lines<string>;
