import { Logger } from '@aws-lambda-powertools/logger';

/** Every line that may be logged. Codes are stable: alarms and searches name them. */
const logCatalogue = {
  requestAnswered: { code: 'HTTP_ANSWERED', level: 'info', message: 'A request was answered.' },
  storeUnavailable: { code: 'STORE_UNAVAILABLE', level: 'error', message: 'A store could not answer.' },
  requestFailed: {
    code: 'HTTP_FAILED',
    level: 'error',
    message: 'A request failed for an unforeseen reason.',
  },
  sweepEnded: {
    code: 'SWEEP_ENDED',
    level: 'info',
    message: 'Untouched transactions were looked for and removed.',
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
  changeCaptured: { code: 'CHANGE_CAPTURED', level: 'info', message: 'Changes were noted for partners.' },
  flushEnded: { code: 'FLUSH_ENDED', level: 'info', message: 'What was due was published.' },
  flushFailed: { code: 'FLUSH_FAILED', level: 'error', message: 'Something due could not be published yet.' },
  completionLeft: {
    code: 'COMPLETION_LEFT',
    level: 'error',
    message: 'A completed payment could not be told at once; the flush tells it.',
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
    message: 'A dead letter belongs to no delivery of the ledger.',
  },
  reconcileEnded: {
    code: 'RECONCILE_ENDED',
    level: 'info',
    message: 'Changes and partners’ endpoints were compared with what they should be.',
  },
  cursorRepaired: {
    code: 'NOTICE_REPAIRED',
    level: 'error',
    message: 'A change had armed nothing; the reconciler did.',
  },
  endpointDiffers: {
    code: 'ENDPOINT_DIFFERS',
    level: 'error',
    message: 'What the bus has for a partner differs from its record.',
  },
  keysFailed: { code: 'KEYS_FAILED', level: 'error', message: 'Signing keys could not be created.' },
} as const;
type LogEntryName = keyof typeof logCatalogue;

/** All that a line may say beside its code: ids and figures, never bodies, tokens or query values (S-57). */
export type LogFacts = {
  requestId?: string;
  correlationId?: string;
  method?: string;
  route?: string;
  status?: number;
  durationMs?: number;
  clientId?: string;
  looked?: number;
  removed?: number;
  isDone?: boolean;
  eventId?: string;
  records?: number;
  captured?: number;
  claimed?: number;
  failed?: number;
  oldestDueAgeMs?: number;
  repaired?: number;
  partners?: number;
  differing?: number;
  reason?: string;
};

/** Writes one line of the catalogue; passed in everywhere so that tests can read what was logged. */
export type Log = (name: LogEntryName, facts: LogFacts, fault?: unknown) => void;

export const createLog = (serviceName: string): Log => {
  const logger = new Logger({ serviceName });
  return (name, facts, fault) => {
    const { code, level, message } = logCatalogue[name];
    logger[level](message, { code, ...facts, ...(fault !== undefined && { fault: faultFacts(fault) }) });
  };
};

/** A fault's kind and place. Its message is left out: it may quote what a caller sent (S-57). */
const faultFacts = (fault: unknown) =>
  fault instanceof Error ? { name: fault.name, at: framesOf(fault) } : { name: typeof fault, at: [] };

const framesOf = ({ stack = '', message }: Error) =>
  stack
    .replace(message, '')
    .split('\n')
    .filter((line) => line.startsWith('    at '));
