import { ticksAhead } from '../shared/domain/event/timing.ts';
import { sendTicks } from '../shared/outbound/flush-queues.ts';
import type { OutboundQueue } from '../shared/outbound/queue.ts';
import type { Clock } from '../shared/runtime/clock.ts';

/**
 * What one container of the function remembers of its runs: when it last polled, and until when it has sent ticks. Others may
 * have polled later and sent more, so whoever goes by it does too much at worst.
 */
export type TickMemory = { polledAtMs?: number; sentUntilMs?: number };

/** The ticks of the function, as one container sees them. */
export type Ticks = {
  /** Whether this container has polled so lately that a tick must have made it. */
  areComing: () => boolean;
  recordPoll: (polledAtMs: number) => void;
  /** Names the tick of an instant: all polls of one tick ask for workers on one occasion. */
  occasionOf: (nowMs: number) => string;
  /** Sends the ticks of the next three minutes, but those that this container has sent before. */
  sendAhead: () => Promise<void>;
};

type TicksDeps = OutboundQueue & { tickSeconds: number; clock: Clock; memory?: TickMemory };

/** Ticks close the gap between two invocations of the schedule. What the queue has not taken counts as not sent. */
export const createTicks = ({ tickSeconds, clock, memory = {}, ...queue }: TicksDeps): Ticks => {
  const areComing = () => {
    const sinceMs = clock().getTime() - (memory.polledAtMs ?? Number.NEGATIVE_INFINITY);
    // Two periods, since one tick may be lost. A poll in the future means that the clock was set back.
    return sinceMs >= 0 && sinceMs < 2 * tickSeconds * 1000;
  };
  return {
    areComing,
    recordPoll: (polledAtMs) => {
      memory.polledAtMs = polledAtMs;
    },
    occasionOf: (nowMs) => `tick-${Math.floor(nowMs / (tickSeconds * 1000))}`,
    sendAhead: async () => {
      // Ticks that do not come are not believed to be under way: a queue may have been emptied.
      const sentUntilMs = areComing() ? memory.sentUntilMs : undefined;
      const { delays, untilMs } = ticksAhead(tickSeconds, clock().getTime(), sentUntilMs);
      await sendTicks(queue, delays);
      memory.sentUntilMs = untilMs;
    },
  };
};

/** Sends one tick without delay: thousands that are due together are worked on without a pause until the next tick. */
export const createNextTick = (queue: OutboundQueue) => (): Promise<void> => sendTicks(queue, [0]);
