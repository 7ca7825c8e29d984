import { tickDelays } from '../shared/domain/event/timing.ts';
import { sendTicks, type TickQueue } from '../shared/outbound/tick-queue.ts';

/** Sends the delayed messages that close the gap between two runs of a schedule; those of other minutes are under way. */
export const createDelayedTicks =
  ({ tickSeconds, ...queue }: TickQueue & { tickSeconds: number }) =>
  (): Promise<void> =>
    sendTicks(queue, tickDelays(tickSeconds));

/** Sends one tick without delay: thousands that are due together are worked on without a pause until the next tick. */
export const createNextTick = (queue: TickQueue) => (): Promise<void> => sendTicks(queue, [0]);
