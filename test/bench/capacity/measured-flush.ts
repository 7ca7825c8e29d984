/** What runs of the flush publish a second on the virtual clock of the simulation: events for one recipient each. */
export const measuredFlush = {
  measuredOn: '2026-11-23',
  oneRun: 389,
  /** As many workers as production has. */
  allRuns: 2_745,
} as const;
