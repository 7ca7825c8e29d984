import type { checkoutLines } from './checkout-lines.ts';
import type { readLines } from './read-lines.ts';
import { type Lines, requestLines } from './request-lines.ts';
import type { selfServiceLines } from './self-service-lines.ts';
import type { tokenLines } from './token-lines.ts';

/** Every line of the functions that have more to tell than how they answered. */
export const allLines = {
  ...requestLines,
  sweepEnded: {
    code: 'SWEEP_ENDED',
    level: 'info',
    message: 'Transactions were looked for that are kept no longer.',
  },
  recordFailed: {
    code: 'RECORD_FAILED',
    level: 'error',
    message: 'A record of a batch failed; it comes again.',
  },
  busUnavailable: {
    code: 'BUS_UNAVAILABLE',
    level: 'error',
    message: 'The bus did not answer; what was to be sent is sent again.',
  },
  entriesRefused: {
    code: 'ENTRIES_REFUSED',
    level: 'error',
    message: 'The bus refused a request for what is in it; its entries are sent in smaller requests.',
  },
  changeCaptured: { code: 'CHANGE_CAPTURED', level: 'info', message: 'Changes were recorded for partners.' },
  flushEnded: { code: 'FLUSH_ENDED', level: 'info', message: 'What was due was published.' },
  flushFailed: { code: 'FLUSH_FAILED', level: 'error', message: 'Something due could not be published yet.' },
  backlogFound: {
    code: 'BACKLOG_FOUND',
    level: 'info',
    message: 'More is due than a poll publishes by itself; workers were asked for.',
  },
  completionLeft: {
    code: 'COMPLETION_LEFT',
    level: 'error',
    message: 'A completion could not be announced to publish-dormant; the next poll finds it.',
  },
  completionNotified: {
    code: 'COMPLETION_NOTIFIED',
    level: 'info',
    message: 'The bus has a completed payment for all its partners.',
  },
  deliveryParked: {
    code: 'DELIVERY_PARKED',
    level: 'error',
    message: 'The bus refused an entry five times; it waits for a person.',
  },
  deliveryDead: {
    code: 'DELIVERY_DEAD',
    level: 'error',
    message: 'An endpoint did not take an event.',
  },
  deadLetterUnknown: {
    code: 'DEAD_LETTER_UNKNOWN',
    level: 'error',
    message: 'A dead letter belongs to no delivery of the delivery log.',
  },
  checkNotAsked: {
    code: 'CHECK_NOT_ASKED',
    level: 'error',
    message: 'Nobody was asked to check endpoints at which deliveries died; the next dead letter asks again.',
  },
  reconcileEnded: {
    code: 'RECONCILE_ENDED',
    level: 'info',
    message: 'Changes were compared with what was scheduled.',
  },
  debounceRowRepaired: {
    code: 'DEBOUNCE_ROW_REPAIRED',
    level: 'error',
    message: 'A change had scheduled nothing; the reconciler did.',
  },
  endpointChanged: {
    code: 'ENDPOINT_CHANGED',
    level: 'info',
    message: 'The bus was made to match the record of a partner.',
  },
  endpointFailing: {
    code: 'ENDPOINT_FAILING',
    level: 'error',
    message: 'The address of a partner did not pass its check; it is checked again.',
  },
  endpointDiffers: {
    code: 'ENDPOINT_DIFFERS',
    level: 'error',
    message: 'The bus could not be made to match the record of a partner; it is tried again.',
  },
  endpointSeen: {
    code: 'ENDPOINT_SEEN',
    level: 'info',
    message: 'The endpoint of a partner needs work, and was found in its turn.',
  },
  endpointsSeen: {
    code: 'ENDPOINTS_SEEN',
    level: 'info',
    message: 'Partners’ endpoints were compared with their records.',
  },
  checkFailed: {
    code: 'CHECK_FAILED',
    level: 'error',
    message: 'An address could not be checked; whoever asked may ask again.',
  },
  keysRotated: { code: 'KEYS_ROTATED', level: 'info', message: 'A fresh key was published.' },
  keysFailed: { code: 'KEYS_FAILED', level: 'error', message: 'Keys could not be created or rotated.' },
} as const satisfies Lines<string>;

type CodeIn<Some extends Lines<string>> = Some[keyof Some]['code'];

/** The codes of all lines, which alarms look for. */
export type LogCode =
  | CodeIn<typeof allLines>
  | CodeIn<typeof tokenLines>
  | CodeIn<typeof readLines>
  | CodeIn<typeof selfServiceLines>
  | CodeIn<typeof checkoutLines>;
