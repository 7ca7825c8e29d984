/** How long a transaction rests before an event, and what hangs on it (interface 6.3). All in milliseconds. */
export type EventSettings = {
  /** An event leaves when its transaction has rested for so long; also the least time between two events of one. */
  dormancyMs: number;
  /** How long a claim keeps other flushers away. */
  leaseMs: number;
  /** A claim older than this is not sent any more: its lease may have run out before the answer is there. */
  abandonMs: number;
};

/** Two tries of three seconds to send, and nothing is sent outside of the lease: 12 + 2 × 3 < 20. */
export const sendTimeoutMs = 3_000;
export const sendTries = 2;

/** What hangs on the dormancy, and the times that are the same for every stage: 12 s abandon, 20 s lease. */
export const settingsOf = (dormancyMs: number): EventSettings => ({
  dormancyMs,
  leaseMs: 20_000,
  abandonMs: 12_000,
});

/** How far ahead a run by the schedule sends ticks: for the two minutes after the next run, so that a missed one leaves no gap. */
export const lastTickSeconds = 170;

/** Ticks that are to be sent: after how many seconds each is seen, and when the last one is. */
export type TicksAhead = { delays: number[]; untilMs: number };

/**
 * The ticks that are still to be sent, after those that were. They fall on whole multiples of their period, whoever sends
 * them, so that those of one run go on where those of another end.
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
