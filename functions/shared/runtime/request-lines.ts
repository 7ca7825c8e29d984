type Line = { code: string; level: 'info' | 'error'; message: string };
/** Lines by their names in code. */
export type Lines<Name extends string> = Record<Name, Line>;

// Codes are stable, because alarms and searches use them.

/**
 * Log lines of functions that only answer requests. A separate module, so that their bundles contain no other lines.
 */
export const requestLines = {
  requestAnswered: { code: 'HTTP_ANSWERED', level: 'info', message: 'A request was answered.' },
  storeUnavailable: { code: 'STORE_UNAVAILABLE', level: 'error', message: 'A store could not answer.' },
  requestFailed: {
    code: 'HTTP_FAILED',
    level: 'error',
    message: 'A request failed for an unforeseen reason.',
  },
  rateNotCounted: {
    code: 'RATE_NOT_COUNTED',
    level: 'error',
    message: 'Requests of a partner were not added to its count; they were answered.',
  },
} as const satisfies Lines<string>;
