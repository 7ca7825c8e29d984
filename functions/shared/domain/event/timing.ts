/** The dormancy of a transaction, and the times that depend on it (interface 6.3), in milliseconds. */
export type EventSettings = {
  /**
   * An event leaves when its transaction has rested for this time. Also the shortest time between two events of one
   * transaction.
   */
  dormancyMs: number;
  /** How long a sender's lease keeps other senders away. */
  leaseMs: number;
  /** Nothing is sent so long after the lease was taken, because it might end before the answer. */
  abandonMs: number;
};

/** Two tries of three seconds, and nothing is sent after the lease: 12 + 2 × 3 < 20. */
export const sendTimeoutMs = 3_000;
export const sendTries = 2;

/**
 * The times that depend on the dormancy, and those that are the same for every stage: 12 s to abandon, 20 s of lease.
 */
export const settingsOf = (dormancyMs: number): EventSettings => ({
  dormancyMs,
  leaseMs: 20_000,
  abandonMs: 12_000,
});

/**
 * How far ahead the scheduled invocation sends ticks: the two minutes after the next one, so that a missed one leaves
 * no gap.
 */
export const lastTickSeconds = 170;

/** Ticks to send: the delay of each in seconds, and the time of the last. */
export type TicksAhead = { delays: number[]; untilMs: number };

/**
 * The ticks that are still to be sent. They fall on whole multiples of their period, so those of one invocation
 * continue those of another.
 */
export const ticksAhead = (tickSeconds: number, nowMs: number, sentUntilMs = nowMs): TicksAhead => {
  const periodMs = tickSeconds * 1000;
  const first = Math.floor(Math.max(nowMs, sentUntilMs) / periodMs) + 1;
  const last = Math.floor((nowMs + lastTickSeconds * 1000) / periodMs);
  const count = Math.max(0, last - first + 1);
  const delays = Array.from({ length: count }, (_, index) =>
    Math.ceil(((first + index) * periodMs - nowMs) / 1000),
  );
  return { delays, untilMs: last * periodMs };
};
