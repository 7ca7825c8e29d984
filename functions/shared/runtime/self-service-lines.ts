import { type Lines, requestLines } from './request-lines.ts';

/** Log lines of functions that make changes for partners, each with its audit record. */
export const changeLines = {
  changeNotNoted: {
    code: 'CHANGE_NOT_NOTED',
    level: 'error',
    message: 'A change by a partner was made, but its audit record does not say that it ended.',
  },
} as const satisfies Lines<string>;

/** Log lines of changes by partners of their own records (V2-13). */
export const selfServiceLines = {
  ...requestLines,
  ...changeLines,
  endpointNotWoken: {
    code: 'ENDPOINT_NOT_WOKEN',
    level: 'error',
    message: 'A change of a webhook was made, but keep-endpoints was not woken; its schedule finds it.',
  },
} as const satisfies Lines<string>;
