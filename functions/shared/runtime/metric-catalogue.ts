/**
 * Every figure that alarms or the dashboard read, and how they sum it up; a line of the log has what nobody watches (D-31).
 * Names are stable.
 */
export const metricCatalogue = {
  /** How long the oldest of what is due has been due. */
  oldestDueAgeMs: { metricName: 'OldestDueAge', unit: 'Milliseconds', statistic: 'Maximum' },
  /** From the last change that an event covers until the bus has it for all its partners: TransactionUpdated. */
  updateDelayMs: { metricName: 'UpdateDelay', unit: 'Milliseconds', statistic: 'Maximum' },
  /** Entries that the bus accepted: one an event and partner. */
  sent: { metricName: 'Sent', unit: 'Count', statistic: 'Sum' },
  /** Entries that the bus may or may not have; they are sent again when their lease ends. */
  unconfirmed: { metricName: 'Unconfirmed', unit: 'Count', statistic: 'Sum' },
  /** Faults of due rows, their entries and status entries, and of parts of the index; each is tried again. */
  failed: { metricName: 'Failed', unit: 'Count', statistic: 'Sum' },
  /** Entries that the bus refused five times. */
  parked: { metricName: 'Parked', unit: 'Count', statistic: 'Sum' },
  /** How far back a run of reconcile has looked: by it a schedule is heard. */
  lookedBackMinutes: { metricName: 'LookedBack', unit: 'Count', statistic: 'Maximum' },
  repaired: { metricName: 'Repaired', unit: 'Count', statistic: 'Sum' },
  /** Partners for whom the bus could not be made to match their record. */
  differingEndpoints: { metricName: 'DifferingEndpoints', unit: 'Count', statistic: 'Maximum' },
  /** Clients that the token service did not let in, by cause. */
  refusedClients: { metricName: 'RefusedClients', unit: 'Count', statistic: 'Sum' },
  deadLetters: { metricName: 'DeadLetters', unit: 'Count', statistic: 'Sum' },
} as const;
export type MetricName = keyof typeof metricCatalogue;
