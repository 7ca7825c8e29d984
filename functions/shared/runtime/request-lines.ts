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
  listDrifts: {
    code: 'LISTING_DRIFTS',
    level: 'error',
    message: 'A list did not agree with its total at any of four readings.',
  },
  signingFailed: { code: 'SIGNING_FAILED', level: 'error', message: 'There is no key to sign with.' },
} as const satisfies Lines<string>;

/** What the token service logs beside: who was not let in. */
export const tokenLines = {
  ...requestLines,
  clientRefused: {
    code: 'CLIENT_REFUSED',
    level: 'info',
    message: 'A client did not prove who it is, or was not heard.',
  },
  useNotNoted: {
    code: 'SECRET_USE_NOT_NOTED',
    level: 'error',
    message: 'The use of a client secret could not be noted; its next use is.',
  },
} as const satisfies Lines<string>;
