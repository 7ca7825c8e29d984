/** What workers of the flush publish a second on the virtual clock of the simulation: events for one recipient each. */
export const measuredFlush = {
  measuredOn: '2026-11-28',
  oneWorker: 253,
  /** As many workers as production has. */
  allWorkers: 2_420,
} as const;
