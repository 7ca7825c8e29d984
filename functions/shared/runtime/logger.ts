import { Logger } from '@aws-lambda-powertools/logger';
import type { checkoutLines } from './checkout-lines.ts';
import type { allLines } from './log-catalogue.ts';
import type { Lines, requestLines } from './request-lines.ts';
import type { selfServiceLines } from './self-service-lines.ts';
import type { tokenLines } from './token-lines.ts';

/** The fields that a line may have beside its code: ids and figures, never bodies, tokens or query values (S-57). */
export type LogFacts = {
  requestId?: string;
  correlationId?: string;
  method?: string;
  route?: string;
  status?: number;
  durationMs?: number;
  clientId?: string;
  /** Rows that a poll loaded. */
  polled?: number;
  /** Transactions or changes that were compared. */
  checked?: number;
  removed?: number;
  deleted?: number;
  erased?: number;
  isDone?: boolean;
  eventId?: string;
  records?: number;
  /** The id of a record of a batch: a message id, or a sequence number of the stream. */
  record?: string;
  entries?: number;
  captured?: number;
  failed?: number;
  sent?: number;
  /** Events sent without large elements (EV-9). */
  oversize?: number;
  oldestDueAgeMs?: number;
  refused?: number;
  unconfirmed?: number;
  updateDelayMs?: number;
  completionDelayMs?: number;
  repaired?: number;
  partners?: number;
  differing?: number;
  reason?: string;
  /** Shards of the index of due rows. */
  shard?: number;
  /** The kind of a due row. */
  kind?: string;
  /** The number of due shards for which workers were requested. */
  shards?: number;
  /** Of rotated keys: their kind, and the id of the fresh one. */
  keyKind?: string;
  kid?: string;
};

type LogOf<Name> = (name: Name, facts: LogFacts, fault?: unknown) => void;

/** Writes one line of the catalogue. Passed in so that tests can read it. */
export type Log = LogOf<keyof typeof allLines>;
/** The same with the lines of every request. */
export type RequestLog = LogOf<keyof typeof requestLines>;
/** The same with the lines of checkouts. */
export type CheckoutLog = LogOf<keyof typeof checkoutLines>;
/** The same with the lines about changes by partners. */
export type SelfServiceLog = LogOf<keyof typeof selfServiceLines>;
/** The same with the lines of the token service. */
export type TokenLog = LogOf<keyof typeof tokenLines>;

/** A log with these lines. */
export const createLog = <Name extends string>(serviceName: string, lines: Lines<Name>): LogOf<Name> => {
  const logger = new Logger({ serviceName });
  return (name, facts, fault) => {
    const { code, level, message } = lines[name];
    logger[level](message, { code, ...facts, ...(fault !== undefined && { fault: faultFacts(fault) }) });
  };
};

/** The kind and place of a fault. Its message is left out, because it may quote what a caller sent (S-57). */
const faultFacts = (fault: unknown) =>
  fault instanceof Error ? { name: fault.name, at: framesOf(fault) } : { name: typeof fault, at: [] };

const framesOf = ({ stack = '', message }: Error) =>
  stack
    .replace(message, '')
    .split('\n')
    .filter((line) => line.startsWith('    at '));
