/**
 * Every figure that alarms or the dashboard read, and how they aggregate it. Figures that nobody watches are in log
 * lines only (D-31). Names are stable.
 */
export const metricCatalogue = {
  /** How long the oldest due first telling has been due. Rows that are sent again do not count. */
  oldestDueAgeMs: { metricName: 'OldestDueAge', unit: 'Milliseconds', statistic: 'Maximum' },
  /** For TransactionUpdated: from the last change of an event until the bus has it for all its partners. */
  updateDelayMs: { metricName: 'UpdateDelay', unit: 'Milliseconds', statistic: 'Maximum' },
  /** For TransactionCompleted: from the payment until the bus has it. */
  completionDelayMs: { metricName: 'CompletionDelay', unit: 'Milliseconds', statistic: 'Maximum' },
  /** Entries that the bus accepted: one for each event and partner. */
  sent: { metricName: 'Sent', unit: 'Count', statistic: 'Sum' },
  /** Entries without confirmation by the bus. They are sent again when their lease ends. */
  unconfirmed: { metricName: 'Unconfirmed', unit: 'Count', statistic: 'Sum' },
  /** Faults of due rows, requests, and parts of the index. Each is tried again. */
  failed: { metricName: 'Failed', unit: 'Count', statistic: 'Sum' },
  /** Entries that the bus refused. Each is tried four more times. */
  refused: { metricName: 'Refused', unit: 'Count', statistic: 'Sum' },
  /** How far back an invocation of reconcile has looked, which shows which schedule it was. */
  lookedBackMinutes: { metricName: 'LookedBack', unit: 'Count', statistic: 'Maximum' },
  repaired: { metricName: 'Repaired', unit: 'Count', statistic: 'Sum' },
  /** Partners whose endpoint on the bus does not match their record. */
  differingEndpoints: { metricName: 'DifferingEndpoints', unit: 'Count', statistic: 'Maximum' },
  /** Clients that the token service refused, by cause. */
  refusedClients: { metricName: 'RefusedClients', unit: 'Count', statistic: 'Sum' },
  deadLetters: { metricName: 'DeadLetters', unit: 'Count', statistic: 'Sum' },
} as const;
export type MetricName = keyof typeof metricCatalogue;
