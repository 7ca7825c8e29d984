import type { DueRowKey } from '../shared/domain/event/debounce-row.ts';
import type { EventType } from '../shared/domain/event/event.ts';
import { type FlushBounds, type FlushCounts, flushDue } from '../shared/publish/flush.ts';
import type { PublishDeps } from '../shared/publish/publish-deps.ts';
import { type PublishedNow, publishNow } from '../shared/publish/publish-now.ts';
import type { Report } from '../shared/runtime/metrics.ts';

/** The parts of Lambda's context that are used. */
export type InvocationContext = { awsRequestId: string; getRemainingTimeInMillis: () => number };

/** Entries of one invocation by outcome. */
export type EntryTally = { sent: number; unconfirmed: number; oversize: number; parked: number };

/** One invocation of the function. Both ways to publish log and report their counts. */
export type CountedInvocation = {
  id: string;
  /** Publishes what is due by the index. */
  flush: (bounds: Omit<FlushBounds, 'beginUntilMs'>) => Promise<FlushCounts>;
  /** Publishes the rows that are named. */
  publish: (keys: readonly DueRowKey[]) => Promise<PublishedNow>;
};

/**
 * A group's reads and claims, 2 × 3 s to send it, and its status entries: no group begins in the last nine seconds of
 * an invocation.
 */
const lastGroupMs = 9_000;

/** Begins an invocation, whose time the context says. */
export const beginInvocation = (
  deps: PublishDeps,
  report: Report,
  context: InvocationContext,
): CountedInvocation => {
  const beginUntilMs = deps.clock().getTime() + context.getRemainingTimeInMillis() - lastGroupMs;
  const counted = async <Outcome extends Counts>(work: (publishing: PublishDeps) => Promise<Outcome>) => {
    const { publishing, tally, delays } = tallied(deps);
    const outcome = await work(publishing);
    const { polled, claimed, failed, oldestDueAgeMs } = outcome;
    const { oversize, ...entries } = tally;
    const age = oldestDueAgeMs === undefined ? {} : { oldestDueAgeMs };
    if (polled > 0) deps.log('flushEnded', { polled, claimed, failed, ...age, sent: tally.sent, oversize });
    report({ ...age, failed, ...entries, ...delays });
    return outcome;
  };
  return {
    id: context.awsRequestId,
    flush: (bounds) => counted((publishing) => flushDue(publishing, { ...bounds, beginUntilMs })),
    publish: (keys) => counted((publishing) => publishNow(publishing, keys, beginUntilMs)),
  };
};

/** Only a flush reads the index and knows the age of the oldest row. An alarm fires where nobody reports that age. */
type Counts = Pick<FlushCounts, 'polled' | 'claimed' | 'failed'> & { oldestDueAgeMs?: number };

/** Delay of the latest TransactionUpdated of an invocation; absent if none was sent. */
type Delays = { updateDelayMs?: number };

/** Wraps the dependencies so that they count what they send. */
export const tallied = (
  publishing: PublishDeps,
): { publishing: PublishDeps; tally: EntryTally; delays: Delays } => {
  const delays: Delays = {};
  const hearOf: Record<EventType, (delayMs: number) => void> = {
    TransactionUpdated: (delayMs) => {
      delays.updateDelayMs = Math.max(delays.updateDelayMs ?? 0, delayMs);
    },
    TransactionCompleted: (delayMs) => publishing.log('completionNotified', { delayMs }),
  };
  const onNotified: PublishDeps['onNotified'] = (type, delayMs) => hearOf[type](delayMs);
  const tally: EntryTally = { sent: 0, unconfirmed: 0, oversize: 0, parked: 0 };
  const bus: PublishDeps['bus'] = {
    put: async (entries) => {
      const answers = await publishing.bus.put(entries);
      const accepted = entries.filter((_, index) => answers[index]?.outcome === 'accepted');
      tally.sent += accepted.length;
      tally.unconfirmed += answers.filter(({ outcome }) => outcome === 'unconfirmed').length;
      tally.oversize += accepted.filter(({ omitted }) => omitted.length > 0).length;
      return answers;
    },
  };
  const log: PublishDeps['log'] = (name, facts, fault) => {
    if (name === 'deliveryParked') tally.parked += 1;
    publishing.log(name, facts, fault);
  };
  return { publishing: { ...publishing, bus, log, onNotified }, tally, delays };
};
