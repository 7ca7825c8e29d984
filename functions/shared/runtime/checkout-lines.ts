import type { Lines } from './request-lines.ts';
import { signingLines } from './token-lines.ts';

/** What the function of checkouts logs: who made how many is in the access log, how many there are in all is an alarm's. */
export const checkoutLines = {
  ...signingLines,
  transactionCreated: {
    code: 'TRANSACTION_CREATED',
    level: 'info',
    message: 'A checkout created a transaction.',
  },
  keySetUnavailable: {
    code: 'KEY_SET_UNAVAILABLE',
    level: 'error',
    message: 'An identity provider gave no key set; nobody could sign in there.',
  },
} as const satisfies Lines<string>;
