import { mayStillSend } from '../domain/event/cursor.ts';
import { createLimit, type Limit } from '../runtime/limit.ts';
import type { LogFacts } from '../runtime/logger.ts';
import type { PublishDeps } from './publish-deps.ts';

/** One run that publishes: what it works with, until when, and how much of it may be under way at once. */
export type Run = {
  deps: PublishDeps;
  /** Whether events for so many recipients in all can be finished in what is left of the run. */
  hasTimeFor: (recipients: number) => boolean;
  /** Asked before every request that sends: the run lasts long enough, and nobody else may have the lease yet. */
  maySend: (claimed: { leasedAtMs: number }) => boolean;
  /** Recipients of events that are taken up and not settled. */
  takingUp: Limit;
  /** Requests to the bus. Each is noted before its place is free again, so that a killed run leaves little in doubt. */
  sending: Limit;
  /** Keeps a fault to the row, entry or note that it struck; answers undefined then. */
  apart: <Result>(work: () => Promise<Result>, facts?: LogFacts) => Promise<Result | undefined>;
};

export type RunBounds = {
  /** Nothing is taken up from then on. */
  beginUntilMs: number;
  onFault: (fault: unknown, facts: LogFacts) => void;
};

const recipientsAtOnce = 200;
const requestsAtOnce = 4;

/** What was taken up in time may still send for so long. */
const overtimeMs = 2_000;
/** Assumed, with a reserve: on AWS it is half of that. */
const msPerRecipient = 4;
/** An event for more than a run can do is begun all the same, early in a run; the next leases go on with it. */
const longestMs = 5_000;

/** Opens a run over these parts. */
export const createRun = (deps: PublishDeps, { beginUntilMs, onFault }: RunBounds): Run => {
  const nowMs = () => deps.clock().getTime();
  const sendUntilMs = beginUntilMs + overtimeMs;
  return {
    deps,
    hasTimeFor: (recipients) => {
      const endsAtMs = nowMs() + Math.min(recipients * msPerRecipient, longestMs);
      return nowMs() < beginUntilMs && endsAtMs <= sendUntilMs;
    },
    maySend: ({ leasedAtMs }) => nowMs() < sendUntilMs && mayStillSend(leasedAtMs, nowMs(), deps.settings),
    takingUp: createLimit(recipientsAtOnce),
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
  run: Run,
  work: (one: One) => Promise<Result | undefined>,
): Promise<Result[]> => {
  const done = await Promise.all(all.map((one) => run.apart(() => work(one))));
  return done.flatMap((result) => result ?? []);
};
