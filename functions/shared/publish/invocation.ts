import { mayStillSend } from '../domain/event/debounce-row.ts';
import { createLimit, type Limit } from '../runtime/limit.ts';
import type { LogFacts } from '../runtime/logger.ts';
import type { PublishDeps } from './publish-deps.ts';

/** One invocation: its dependencies, time limits and concurrency. */
export type Invocation = {
  deps: PublishDeps;
  /** Whether events for so many recipients can be finished in the remaining time. */
  hasTimeFor: (recipients: number) => boolean;
  /** Checked before each request that sends: there is time left, and the lease still holds. */
  maySend: (claimed: { leasedAtMs: number }) => boolean;
  /** Recipients of events that are started and not completed. */
  publishing: Limit;
  /**
   * Requests to the bus. A request is recorded before its place is free, so that a killed invocation leaves few events in
   * doubt.
   */
  sending: Limit;
  /** Limits a fault to its row, entry or status entry; returns undefined for it. */
  apart: <Result>(work: () => Promise<Result>, facts?: LogFacts) => Promise<Result | undefined>;
};

export type InvocationBounds = {
  /** Nothing starts after this time. */
  beginUntilMs: number;
  onFault: (fault: unknown, facts: LogFacts) => void;
};

const recipientsAtOnce = 200;
const requestsAtOnce = 4;

/** How long events that started in time may still send. */
const overtimeMs = 2_000;
/** An estimate with a reserve: AWS needs half of it. */
const msPerRecipient = 4;
/** An event that is too large for an invocation starts early in one, and continues in the next leases. */
const longestMs = 5_000;

/** Creates an invocation. */
export const createInvocation = (
  deps: PublishDeps,
  { beginUntilMs, onFault }: InvocationBounds,
): Invocation => {
  const nowMs = () => deps.clock().getTime();
  const sendUntilMs = beginUntilMs + overtimeMs;
  return {
    deps,
    hasTimeFor: (recipients) => {
      const endsAtMs = nowMs() + Math.min(recipients * msPerRecipient, longestMs);
      return nowMs() < beginUntilMs && endsAtMs <= sendUntilMs;
    },
    maySend: ({ leasedAtMs }) => nowMs() < sendUntilMs && mayStillSend(leasedAtMs, nowMs(), deps.settings),
    publishing: createLimit(recipientsAtOnce),
    sending: createLimit(requestsAtOnce),
    apart: async (work, facts = {}) => {
      try {
        return await work();
      } catch (fault) {
        onFault(fault, facts);
        return undefined;
      }
    },
  };
};

/** Works on all items concurrently, and limits each fault to its item. Failed and empty results are omitted. */
export const eachApart = async <One, Result>(
  all: readonly One[],
  invocation: Invocation,
  work: (one: One) => Promise<Result | undefined>,
): Promise<Result[]> => {
  const done = await Promise.all(all.map((one) => invocation.apart(() => work(one))));
  return done.flatMap((result) => result ?? []);
};
