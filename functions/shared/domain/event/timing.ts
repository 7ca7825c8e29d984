/** The two-minute rule and what hangs on it (interface 6.3, events 5). All in milliseconds. */
export type EventSettings = {
  /** A transaction at rest for so long is told of; also the least time between two events of one transaction. */
  dormancyMs: number;
  /** A transaction that never rests is told of after so long all the same (EV-1); absent = never. */
  maxHoldMs?: number;
  /** How long a claim keeps others away. */
  leaseMs: number;
  /** A claim older than this is not sent any more: its lease may have run out before the answer is there. */
  abandonMs: number;
};

/** Two tries of three seconds to send, and nothing is sent outside of the lease: 12 + 2 × 3 < 20. */
export const sendTimeoutMs = 3_000;
export const sendTries = 2;

/** What hangs on the dormancy, and the times that are the same for every stage: 12 s abandon, 20 s lease (events 5). */
export const settingsOf = (dormancyMs: number, maxHoldMs?: number): EventSettings => ({
  dormancyMs,
  ...(maxHoldMs !== undefined && { maxHoldMs }),
  leaseMs: 20_000,
  abandonMs: 12_000,
});

/**
 * A completed payment is told by whoever made it, within a lease that ends when the marker is due anyway: 3 + 2 × 3 < 10. So
 * a payment that dies in between is told of at the next tick after 10 s (events 6, I18).
 */
export const completionSettings = { leaseMs: 10_000, abandonMs: 3_000 } as const;

/** When the last delayed tick of a run comes: the ticks of runs overlap, so that a missed minute leaves no gap. */
export const lastTickSeconds = 170;

/** After how many seconds each delayed tick of a run is seen. */
export const tickDelays = (tickSeconds: number): number[] =>
  Array.from({ length: Math.floor(lastTickSeconds / tickSeconds) }, (_, index) => (index + 1) * tickSeconds);
