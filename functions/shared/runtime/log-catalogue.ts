import type { checkoutLines } from './checkout-lines.ts';
import type { readLines } from './read-lines.ts';
import { type Lines, requestLines } from './request-lines.ts';
import type { selfServiceLines } from './self-service-lines.ts';
import type { tokenLines } from './token-lines.ts';

/** Every line of functions that log more than their requests. */
export const allLines = {
  ...requestLines,
  sweepEnded: {
    code: 'SWEEP_ENDED',
    level: 'info',
    message: 'The sweep for expired transactions ended.',
  },
  recordFailed: {
    code: 'RECORD_FAILED',
    level: 'error',
    message: 'A record of a batch failed; it is delivered again.',
  },
  busUnavailable: {
    code: 'BUS_UNAVAILABLE',
    level: 'error',
    message: 'The bus did not answer; the entries are sent again.',
  },
  entriesRefused: {
    code: 'ENTRIES_REFUSED',
    level: 'error',
    message: 'The bus refused the content of a request; its entries are sent in smaller requests.',
  },
  changeCaptured: { code: 'CHANGE_CAPTURED', level: 'info', message: 'Changes were recorded for partners.' },
  flushEnded: { code: 'FLUSH_ENDED', level: 'info', message: 'Due events were published.' },
  flushFailed: { code: 'FLUSH_FAILED', level: 'error', message: 'A due event could not be published yet.' },
  backlogFound: {
    code: 'BACKLOG_FOUND',
    level: 'info',
    message: 'More is due than a poll publishes; workers were requested.',
  },
  completionLeft: {
    code: 'COMPLETION_LEFT',
    level: 'error',
    message: 'A completion could not be announced to publish-dormant; the next poll finds it.',
  },
  deliveryDead: {
    code: 'DELIVERY_DEAD',
    level: 'error',
    message: 'An endpoint did not accept an event.',
  },
  checkNotAsked: {
    code: 'CHECK_NOT_ASKED',
    level: 'error',
    message: 'The check of failing endpoints could not be requested; the next dead letter requests it again.',
  },
  reconcileEnded: {
    code: 'RECONCILE_ENDED',
    level: 'info',
    message: 'Changes were compared with what was scheduled.',
  },
  debounceRowRepaired: {
    code: 'DEBOUNCE_ROW_REPAIRED',
    level: 'error',
    message: 'A change was not scheduled; the reconciler scheduled it.',
  },
  backlogWoken: {
    code: 'BACKLOG_WOKEN',
    level: 'error',
    message: 'Events of a partner waited for a resume that had passed; they are sent now.',
  },
  endpointChanged: {
    code: 'ENDPOINT_CHANGED',
    level: 'info',
    message: 'EventBridge now matches the record of a partner.',
  },
  endpointFailing: {
    code: 'ENDPOINT_FAILING',
    level: 'error',
    message: 'The address of a partner did not pass its check; it is checked again.',
  },
  endpointDiffers: {
    code: 'ENDPOINT_DIFFERS',
    level: 'error',
    message: 'EventBridge does not match the record of a partner; it is tried again.',
  },
  endpointSeen: {
    code: 'ENDPOINT_SEEN',
    level: 'info',
    message: 'The schedule found an endpoint that does not match its record.',
  },
  endpointsSeen: {
    code: 'ENDPOINTS_SEEN',
    level: 'info',
    message: 'Partners’ endpoints were compared with their records.',
  },
  checkFailed: {
    code: 'CHECK_FAILED',
    level: 'error',
    message: 'An address could not be checked; the check can be requested again.',
  },
  keysRotated: { code: 'KEYS_ROTATED', level: 'info', message: 'A new key was published.' },
  keysFailed: { code: 'KEYS_FAILED', level: 'error', message: 'Keys could not be created or rotated.' },
} as const satisfies Lines<string>;

type CodeIn<Some extends Lines<string>> = Some[keyof Some]['code'];

/** The codes of all lines, which alarms search for. */
export type LogCode =
  | CodeIn<typeof allLines>
  | CodeIn<typeof tokenLines>
  | CodeIn<typeof readLines>
  | CodeIn<typeof selfServiceLines>
  | CodeIn<typeof checkoutLines>;
