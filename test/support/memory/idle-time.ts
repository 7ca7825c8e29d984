import type { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { createHandler, lightLoad } from '../../../functions/publish-dormant/handler.ts';
import { createLanes } from '../../../functions/publish-dormant/lanes.ts';
import { createNextTick, createTicks } from '../../../functions/publish-dormant/ticks.ts';
import type { TickQueue } from '../../../functions/shared/outbound/tick-queue.ts';
import { createMemoryLanes } from './lanes.ts';
import { aPublishing, memoryStores } from './publishing.ts';

/** What `publish-dormant` asks for in a time in which nothing happens. */
export type IdleCounts = {
  /** Runs by the schedule and by ticks; each run is one call of Lambda. */
  scheduled: number;
  byTicks: number;
  /** Runs that looked, and how many questions to the index of what is due these were. */
  looks: number;
  questions: number;
  /** Ticks, and the requests that send them. */
  ticks: number;
  sendings: number;
};

const minuteMs = 60_000;
const context = { getRemainingTimeInMillis: () => 15_000 };

/** The function over a clock that jumps from call to call, in one container; each tick comes alone, and at its time. */
export const idleTime = async (minutes: number): Promise<IdleCounts> => {
  const startMs = Date.parse('2026-03-01T12:00:00Z');
  let nowMs = startMs;
  const clock = () => new Date(nowMs);
  const counts: IdleCounts = { scheduled: 0, byTicks: 0, looks: 0, questions: 0, ticks: 0, sendings: 0 };
  const dueTicks: number[] = [];
  const queue = queueOver((delaysSeconds) => {
    counts.sendings += 1;
    counts.ticks += delaysSeconds.length;
    dueTicks.push(...delaysSeconds.map((delay) => nowMs + delay * 1000));
    dueTicks.sort((one, other) => one - other);
  });
  const handler = createHandler({
    publishing: publishingThatCounts(clock, counts),
    ticks: createTicks({ ...queue, clock, tickSeconds: 10 }),
    alone: lightLoad,
    lanes: createLanes({ store: createMemoryLanes(), count: 8, queue, clock, newHolder: () => 'one' }),
    sendTick: createNextTick(queue),
    report: () => {
      counts.looks += 1;
    },
  });
  for (let minute = 0; minute < minutes; minute += 1) {
    // As a rule does: at some second of each minute, the same one.
    const scheduledMs = startMs + minute * minuteMs + 23_400;
    for (let tickMs = dueTicks[0]; tickMs !== undefined && tickMs < scheduledMs; tickMs = dueTicks[0]) {
      dueTicks.shift();
      nowMs = tickMs;
      counts.byTicks += 1;
      await handler({ Records: [{}] }, context);
    }
    nowMs = scheduledMs;
    counts.scheduled += 1;
    await handler({ every: 'rate(1 minute)' }, context);
  }
  return counts;
};

const queueOver = (take: (delaysSeconds: number[]) => void): TickQueue => {
  const send = async ({ input: { Entries = [] } }: SendMessageBatchCommand) => {
    take(Entries.map(({ DelaySeconds = 0 }) => DelaySeconds));
    return {};
  };
  return { client: { send } as unknown as TickQueue['client'], queueUrl: 'ticks' };
};

const publishingThatCounts = (clock: () => Date, counts: IdleCounts) => {
  const { ledger, cursors, transactions } = memoryStores(clock);
  const partners = { ofOwners: async () => [], byClientIds: async () => new Map() };
  const due: typeof cursors.due = (...asked) => {
    counts.questions += 1;
    return cursors.due(...asked);
  };
  return aPublishing({ transactions, partners, ledger, cursors: { ...cursors, due }, clock });
};
