/** What runs of the flush publish a second on the virtual clock of the simulation: events for one recipient each. */
export const measuredFlush = {
  measuredOn: '2026-11-23',
  oneRun: 336,
  /** As many runs as production has lanes. */
  allRuns: 1_322,
} as const;
