import type { Debt } from './rows.ts';

/** What the bus reports about an event that it gave up. Contains nothing of the message. */
export type DeliveryFault = {
  /** The bus's own code. */
  code: string;
  /** What the endpoint answered. */
  status?: number;
  kind: 'answered' | 'timed-out' | 'unreachable' | 'other';
  /** The bus has tried for 24 hours, or as often as it does. */
  isExhausted: boolean;
};

/** The one word for a failure, in the log and for partners. */
export const reasonOf = ({ code, status, kind, isExhausted }: DeliveryFault): string => {
  if (code === 'NO_RESOURCE') return 'TARGET_REMOVED';
  if (isExhausted) return 'EXHAUSTED';
  if (status !== undefined) return `HTTP_${status}`;
  if (kind === 'timed-out') return 'TIMEOUT';
  return kind === 'unreachable' ? 'DNS' : code;
};

const minute = 60_000;
const hour = 60 * minute;
/** What the bus gives up at once, though it may pass. */
const endpointPauses = [15 * minute, hour, 4 * hour, 12 * hour, 24 * hour];
/** At once at first: a completion that was refused once is still in time (I18). */
const busPauses = [0, 30_000, 30_000, 30_000];

/** What nothing sends by itself any more is kept so long for the next event, or for a person. */
const keptMs = 30 * 24 * hour;

const isOfEndpoint = (reason: string) => /^(HTTP_(403|404|408|410)|DNS)$/.test(reason);

/** The pauses before the next tries, by reason. Of other reasons the bus has tried for a day. */
const pausesOf = (reason: string): readonly number[] => {
  if (isOfEndpoint(reason)) return endpointPauses;
  return reason === 'REFUSED_BY_BUS' ? busPauses : [];
};

/** How often an endpoint has failed in a way that has pauses, which a dead letter counts on. */
export const endpointTries = (debt: Pick<Debt, 'reason' | 'tries'> | undefined): number =>
  debt && isOfEndpoint(debt.reason) ? debt.tries : 0;

/** Not the endpoint's fault, and never given up: after so long the sender looks at the partner's record again. */
const passing: { [reason: string]: number } = {
  UNCONFIRMED: 0,
  PAUSED: 30_000,
  NOT_READY: 30_000,
  TARGET_REMOVED: 30_000,
};

/** When a sending that failed so often is tried again, or when it expires because it was given up. */
export const afterFailure = (
  reason: string,
  tries: number,
  nowMs: number,
): Pick<Debt, 'reason' | 'tries' | 'dueAtMs' | 'expiresAtMs'> => {
  const pauseMs = passing[reason] ?? pausesOf(reason)[tries - 1];
  return pauseMs === undefined
    ? { reason, tries, expiresAtMs: nowMs + keptMs }
    : { reason, tries, dueAtMs: nowMs + pauseMs };
};
