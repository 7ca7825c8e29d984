/** One entry that differs from what the transactions say. */
export type EntryDrift = { key: string; found: 'missing' | 'orphan' | 'different' };

/** One counter that differs; `difference` is what has to be added. */
export type CounterDrift = { key: string; attribute: string; difference: number };

export type ListingAudit = {
  transactions: number;
  entries: number;
  counters: number;
  entryDrift: EntryDrift[];
  counterDrift: CounterDrift[];
};

export type AuditProgress = { phase: 'transactions' | 'listing'; done: number };

/** For the operator's `listing audit` and `listing repair` (RUN-4). */
export type ListingAuditor = {
  audit: (onProgress?: (progress: AuditProgress) => void) => Promise<ListingAudit>;
  /** Audits twice and mends what both found alike, so that writes in between are left alone; answers what was mended. */
  repair: (onProgress?: (progress: AuditProgress) => void) => Promise<ListingAudit>;
};
