import { mayStillSend } from '../domain/event/debounce-row.ts';
import { createLimit, type Limit } from '../runtime/limit.ts';
import type { LogFacts } from '../runtime/logger.ts';
import type { PublishDeps } from './publish-deps.ts';

/** One invocation that publishes: what it works with, until when, and how much of it may be under way at once. */
export type Invocation = {
  deps: PublishDeps;
  /** Whether events for so many recipients in all can be finished in what is left of the invocation. */
  hasTimeFor: (recipients: number) => boolean;
  /** Asked before every request that sends: the invocation lasts long enough, and nobody else may have the lease yet. */
  maySend: (claimed: { leasedAtMs: number }) => boolean;
  /** Recipients of events that are begun and not completed. */
  publishing: Limit;
  /** Requests to the bus. Each is recorded before its place is free again, so that a killed invocation leaves little in doubt. */
  sending: Limit;
  /** Keeps a fault to the row, entry or status entry that it struck; answers undefined then. */
  apart: <Result>(work: () => Promise<Result>, facts?: LogFacts) => Promise<Result | undefined>;
};

export type InvocationBounds = {
  /** Nothing is begun from then on. */
  beginUntilMs: number;
  onFault: (fault: unknown, facts: LogFacts) => void;
};

const recipientsAtOnce = 200;
const requestsAtOnce = 4;

/** What was begun in time may still send for so long. */
const overtimeMs = 2_000;
/** Assumed, with a reserve: on AWS it is half of that. */
const msPerRecipient = 4;
/** An event for more than an invocation can do is begun all the same, early in an invocation; the next leases go on with it. */
const longestMs = 5_000;

/** Opens an invocation over these parts. */
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

/** Works on all of them at once and keeps each fault to its own; what failed, or came to nothing, is left out. */
export const eachApart = async <One, Result>(
  all: readonly One[],
  invocation: Invocation,
  work: (one: One) => Promise<Result | undefined>,
): Promise<Result[]> => {
  const done = await Promise.all(all.map((one) => invocation.apart(() => work(one))));
  return done.flatMap((result) => result ?? []);
};
