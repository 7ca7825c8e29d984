import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { pagesOf } from '../../../functions/shared/store/dynamodb/pages.ts';
import type { TableAccess } from '../../../functions/shared/store/dynamodb/table-access.ts';
import {
  type AuditRecord,
  donePartitionOf,
  partitionOf,
} from '../../../functions/shared/store/partners/audit-log.ts';

/** A stored record; ids sort by time. */
export type KeptRecord = AuditRecord & { id: string };

/**
 * A record of the copy. `isLost`: the Partners table, which may be restored, does not have it. `isDone`: the command ended;
 * otherwise it may have failed or died.
 */
type TrailRecord = KeptRecord & { isLost: boolean; isDone: boolean };

/** The audit records for an adoption (DR-2). */
export type AuditTrail = {
  /** The records of the last three months, oldest first, from the copy that is never restored. */
  read: (now: Date) => Promise<TrailRecord[]>;
  /** Writes lost records back to the Partners table. */
  giveBack: (records: readonly TrailRecord[]) => Promise<void>;
};

/** A restore goes back 35 days at most: to this month, the last one, or the one before. */
const monthsBack = 2;

export const createAuditTrail = (access: TableAccess<'partnersTable' | 'auditTable'>): AuditTrail => ({
  read: async (now) => {
    const found: TrailRecord[] = [];
    for (const startMs of monthsUntil(now)) {
      const kept = await idsIn(access, access.partnersTable, partitionOf(startMs));
      const done = await idsIn(access, access.auditTable, donePartitionOf(startMs));
      const all = await recordsIn(access, access.auditTable, partitionOf(startMs));
      const states = ({ id }: KeptRecord) => ({ isLost: !kept.has(id), isDone: done.has(id) });
      found.push(...all.map((record) => ({ ...record, ...states(record) })));
    }
    return found;
  },
  giveBack: async (records) => {
    for (const { id: sk, isLost: _, isDone: __, ...record } of records) {
      const Item = { pk: partitionOf(record.atMs), sk, ...record };
      await access.documents.send(new PutCommand({ TableName: access.partnersTable, Item }));
    }
  },
});

/** The oldest month first. */
const monthsUntil = (now: Date): number[] =>
  Array.from({ length: monthsBack + 1 }, (_, index) =>
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsBack + index, 1),
  );

const idsIn = async (access: TableAccess<never>, TableName: string, pk: string): Promise<Set<string>> =>
  new Set((await recordsIn(access, TableName, pk)).map(({ id }) => id));

const recordsIn = async (access: TableAccess<never>, TableName: string, pk: string) => {
  const found: KeptRecord[] = [];
  const pages = pagesOf(access, {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  });
  for await (const items of pages) found.push(...items.map(toKeptRecord));
  return found;
};

export const toKeptRecord = ({ pk: _, sk, ...record }: Record<string, unknown>): KeptRecord => ({
  ...(record as AuditRecord),
  id: String(sk),
});
