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
  keysFailed: { code: 'KEYS_FAILED', level: 'error', message: 'Signing keys could not be created.' },
} as const;
export type LogEntryName = keyof typeof logCatalogue;

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
