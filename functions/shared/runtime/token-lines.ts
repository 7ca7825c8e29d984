import { type Lines, requestLines } from './request-lines.ts';
import { changeLines } from './self-service-lines.ts';

/** Log lines of functions that sign tokens. */
export const signingLines = {
  ...requestLines,
  signingFailed: { code: 'SIGNING_FAILED', level: 'error', message: 'There is no key to sign with.' },
} as const satisfies Lines<string>;

/** Further log lines of the token service, about refused clients. */
export const tokenLines = {
  ...signingLines,
  ...changeLines,
  clientRefused: {
    code: 'CLIENT_REFUSED',
    level: 'info',
    message: 'A client was refused.',
  },
  useNotNoted: {
    code: 'SECRET_USE_NOT_NOTED',
    level: 'error',
    message: 'The use of a client secret was not recorded; its next use is.',
  },
} as const satisfies Lines<string>;
