import { Logger } from '@aws-lambda-powertools/logger';
import type { checkoutLines } from './checkout-lines.ts';
import type { allLines } from './log-catalogue.ts';
import type { Lines, requestLines } from './request-lines.ts';
import type { selfServiceLines } from './self-service-lines.ts';
import type { tokenLines } from './token-lines.ts';

/** All that a line may say beside its code: ids and figures, never bodies, tokens or query values (S-57). */
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
  entries?: number;
  captured?: number;
  claimed?: number;
  failed?: number;
  sent?: number;
  /** Sent in the thin form (EV-9). */
  oversize?: number;
  oldestDueAgeMs?: number;
  /** From a payment until the bus has it. */
  delayMs?: number;
  repaired?: number;
  partners?: number;
  differing?: number;
  reason?: string;
  /** Of the index of what is due. */
  shard?: number;
  /** The kind of a due row. */
  kind?: string;
  /** For how many due shards workers were asked. */
  shards?: number;
  /** Of keys that are rotated: their kind, and the id of the fresh one. */
  keyKind?: string;
  kid?: string;
};

type LogOf<Name> = (name: Name, facts: LogFacts, fault?: unknown) => void;

/** Writes one line of the catalogue; passed in everywhere so that tests can read what was logged. */
export type Log = LogOf<keyof typeof allLines>;
/** The same for what every request does. */
export type RequestLog = LogOf<keyof typeof requestLines>;
/** The same with what checkouts do. */
export type CheckoutLog = LogOf<keyof typeof checkoutLines>;
/** The same with what partners change themselves. */
export type SelfServiceLog = LogOf<keyof typeof selfServiceLines>;
/** The same with what the token service does. */
export type TokenLog = LogOf<keyof typeof tokenLines>;

/** A log of these lines. */
export const createLog = <Name extends string>(serviceName: string, lines: Lines<Name>): LogOf<Name> => {
  const logger = new Logger({ serviceName });
  return (name, facts, fault) => {
    const { code, level, message } = lines[name];
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
