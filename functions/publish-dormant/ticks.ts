import { ticksAhead } from '../shared/domain/event/timing.ts';
import { sendTicks } from '../shared/outbound/flush-queues.ts';
import type { OutboundQueue } from '../shared/outbound/queue.ts';
import type { Clock } from '../shared/runtime/clock.ts';

/**
 * What one container remembers: when it last polled, and until when it has sent ticks. Other containers may have polled
 * later or sent more, so at worst it does too much.
 */
export type TickMemory = { polledAtMs?: number; sentUntilMs?: number };

/** The ticks of the function, as one container sees them. */
export type Ticks = {
  /** Whether this container polled so recently that a tick must have started it. */
  areComing: () => boolean;
  recordPoll: (polledAtMs: number) => void;
  /** Names the tick of an instant, so that all polls of one tick ask for workers on one occasion. */
  occasionOf: (nowMs: number) => string;
  /** Sends the ticks of the next three minutes, except those that this container has sent before. */
  sendAhead: () => Promise<void>;
};

type TicksDeps = OutboundQueue & { tickSeconds: number; clock: Clock; memory?: TickMemory };

/** Ticks fill the gap between two invocations of the schedule. If the queue refuses them, they count as not sent. */
export const createTicks = ({ tickSeconds, clock, memory = {}, ...queue }: TicksDeps): Ticks => {
  const areComing = () => {
    const sinceMs = clock().getTime() - (memory.polledAtMs ?? Number.NEGATIVE_INFINITY);
    // Two periods, because one tick may be lost. A poll in the future means that the clock was set back.
    return sinceMs >= 0 && sinceMs < 2 * tickSeconds * 1000;
  };
  return {
    areComing,
    recordPoll: (polledAtMs) => {
      memory.polledAtMs = polledAtMs;
    },
    occasionOf: (nowMs) => `tick-${Math.floor(nowMs / (tickSeconds * 1000))}`,
    sendAhead: async () => {
      // If ticks do not arrive, they are sent again: the queue may have been purged.
      const sentUntilMs = areComing() ? memory.sentUntilMs : undefined;
      const { delays, untilMs } = ticksAhead(tickSeconds, clock().getTime(), sentUntilMs);
      await sendTicks(queue, delays);
      memory.sentUntilMs = untilMs;
    },
  };
};

/** Sends one tick without delay, so that a poll whose time ended is followed by another at once. */
export const createNextTick = (queue: OutboundQueue) => (): Promise<void> => sendTicks(queue, [0]);
