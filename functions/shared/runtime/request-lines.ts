type Line = { code: string; level: 'info' | 'error'; message: string };
/** Lines by the names that code calls them. */
export type Lines<Name extends string> = Record<Name, Line>;

// Codes are stable: alarms and searches name them.

/** What a function may log that answers requests and does nothing else; apart, so that its bundle holds no other line. */
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
