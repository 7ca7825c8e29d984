/** What workers of the flush publish a second on the virtual clock of the simulation: events for one recipient each. */
export const measuredFlush = {
  measuredOn: '2026-11-24',
  oneWorker: 343,
  /** As many workers as production has. */
  allWorkers: 3_054,
} as const;
