import type { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { createHandler, lightLoad } from '../../../functions/publish-dormant/handler.ts';
import { createNextTick, createTicks } from '../../../functions/publish-dormant/ticks.ts';
import type { OutboundQueue } from '../../../functions/shared/outbound/queue.ts';
import { randomFrom } from '../builders/random.ts';
import { aPublishing, invocationContext, memoryStores } from './publishing.ts';

/** What `publish-dormant` asks for in a time in which nothing happens. */
export type IdleCounts = {
  /** Runs by the schedule and by ticks; each run is one call of Lambda. */
  scheduled: number;
  byTicks: number;
  /** Invocations that polled, and their queries of the index of due rows. */
  polls: number;
  questions: number;
  /** Ticks, and the requests that send them. */
  ticks: number;
  sendings: number;
};

const minuteMs = 60_000;

/** What the event source of ticks gives to a run at most (`lib/constructs/events/dormant-publisher.ts`). */
const batchSize = 10;

/**
 * The function over a clock that jumps from call to call. Ticks come at their time, those of one instant together. Each
 * call is in one of this many containers, at random.
 */
export const idleTime = async (minutes: number, { containers = 1 } = {}): Promise<IdleCounts> => {
  const startMs = Date.parse('2026-03-01T12:00:00Z');
  let nowMs = startMs;
  const clock = () => new Date(nowMs);
  const counts: IdleCounts = { scheduled: 0, byTicks: 0, polls: 0, questions: 0, ticks: 0, sendings: 0 };
  const dueTicks: number[] = [];
  const queue = queueOver((delaysSeconds) => {
    counts.sendings += 1;
    counts.ticks += delaysSeconds.length;
    dueTicks.push(...delaysSeconds.map((delay) => nowMs + delay * 1000));
    dueTicks.sort((one, other) => one - other);
  });
  const newHandler = () =>
    createHandler({
      publishing: publishingThatCounts(clock, counts),
      ticks: createTicks({ ...queue, clock, tickSeconds: 10 }),
      light: lightLoad,
      askForWorkers: async () => {},
      sendTick: createNextTick(queue),
      report: () => {
        counts.polls += 1;
      },
    });
  const handlers = Array.from({ length: containers }, newHandler);
  const random = randomFrom(1);
  const call = (event: unknown) => random.oneOf(handlers)(event, invocationContext());
  for (let minute = 0; minute < minutes; minute += 1) {
    // As a rule does: at some second of each minute, the same one.
    const scheduledMs = startMs + minute * minuteMs + 23_400;
    for (let tickMs = dueTicks[0]; tickMs !== undefined && tickMs < scheduledMs; tickMs = dueTicks[0]) {
      const together = dueTicks.filter((atMs) => atMs === tickMs).slice(0, batchSize);
      dueTicks.splice(0, together.length);
      nowMs = tickMs;
      counts.byTicks += 1;
      await call({ Records: together.map(() => ({ body: '-' })) });
    }
    nowMs = scheduledMs;
    counts.scheduled += 1;
    await call({ every: 'rate(1 minute)' });
  }
  return counts;
};

const queueOver = (take: (delaysSeconds: number[]) => void): OutboundQueue => {
  const send = async ({ input: { Entries = [] } }: SendMessageBatchCommand) => {
    take(Entries.map(({ DelaySeconds = 0 }) => DelaySeconds));
    return {};
  };
  return { client: { send } as unknown as OutboundQueue['client'], queueUrl: 'ticks' };
};

const publishingThatCounts = (clock: () => Date, counts: IdleCounts) => {
  const { deliveryLog, debounceRows, transactions } = memoryStores(clock);
  const due: typeof debounceRows.due = (...asked) => {
    counts.questions += 1;
    return debounceRows.due(...asked);
  };
  return aPublishing({ transactions, deliveryLog, debounceRows: { ...debounceRows, due }, clock });
};
