import type { AuditRecords } from '../../../bin/operator/store/audit-records.ts';
import type { AuditRecord } from '../../../functions/shared/store/partners/audit-log.ts';

/** The records of a list, as they would lie in the table: each gets an id in the order of time. */
export const createMemoryAuditRecords = (
  records: readonly AuditRecord[],
  isDone: (record: AuditRecord) => boolean = () => true,
): AuditRecords => ({
  readBelow: async ({ since, below, limit }) => {
    const kept = records
      .map((record, index) => ({ ...record, id: idOf(record, index), isDone: isDone(record) }))
      .filter(({ id }) => id >= since && id < below)
      .sort((one, other) => (one.id < other.id ? 1 : -1));
    const seen = kept.slice(0, limit);
    const next = kept.length > limit ? seen.at(-1)?.id : undefined;
    return { records: seen, ...(next !== undefined && { next }) };
  },
});

const idOf = ({ atMs }: AuditRecord, index: number) =>
  `${new Date(atMs).toISOString()}#00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
