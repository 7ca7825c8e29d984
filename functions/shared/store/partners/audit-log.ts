import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { pagesOf } from '../dynamodb/pages.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';

/** Who was about to do what. Arguments are as typed; no command takes a secret as an argument. */
export type AuditRecord = { who: string; command: string; arguments: Record<string, unknown>; atMs: number };

/** Append-only: there is no way to change or remove a record. */
export type AuditStore = {
  /** Called before the change that it records, so that nothing takes effect without a record (S-28). */
  append: (record: AuditRecord) => Promise<void>;
};

/** What an adoption asks of the records (DR-2). */
export type AuditTrail = {
  /** When the newest record was made that the Partners table has, which may have gone back. */
  newestOfPartners: (now: Date) => Promise<number | undefined>;
  /** Every record from then on, the oldest first, from the copy that no restore takes back. */
  since: (atMs: number, now: Date) => Promise<AuditRecord[]>;
};

type AuditAccess = TableAccess<'partnersTable' | 'auditTable'>;

/**
 * Audit records: `AUDIT#<yyyy-mm>` / `<ISO time>#<id>`, one partition a month, in the Partners table beside what they are
 * about, and once more in a table that goes back with no other (DR-2). A command begins when both are written, and
 * so whatever it has changed can be found after the Partners table went back.
 */
export const createAuditStore = ({ documents, partnersTable, auditTable }: AuditAccess): AuditStore => ({
  append: async (record) => {
    const sk = `${textOf(record.atMs)}#${randomUUID()}`;
    const Item = { pk: partitionOf(record.atMs), sk, ...record };
    for (const TableName of [partnersTable, auditTable])
      await documents.send(
        new PutCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' }),
      );
  },
});

const textOf = (atMs: number) => new Date(atMs).toISOString();
const partitionOf = (atMs: number) => `AUDIT#${textOf(atMs).slice(0, 7)}`;

/** A table goes back 35 days at most: that is in this month, in the last one, or in the one before. */
const monthsBack = 2;

export const createAuditTrail = (access: AuditAccess): AuditTrail => ({
  newestOfPartners: async (now) => {
    for (const pk of partitionsUntil(now)) {
      const [newest] = await recordsIn(access, access.partnersTable, {
        pk,
        Limit: 1,
        ScanIndexForward: false,
      });
      if (newest) return newest.atMs;
    }
    return undefined;
  },
  since: async (atMs, now) => {
    const found: AuditRecord[] = [];
    for (const pk of partitionsUntil(now).toReversed())
      found.push(...(await recordsIn(access, access.auditTable, { pk })));
    return found.filter((record) => record.atMs >= atMs);
  },
});

/** The newest month first. */
const partitionsUntil = (now: Date): string[] =>
  Array.from({ length: monthsBack + 1 }, (_, back) =>
    partitionOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)),
  );

const recordsIn = async (
  access: TableAccess<never>,
  TableName: string,
  { pk, ...more }: { pk: string; Limit?: number; ScanIndexForward?: boolean },
): Promise<AuditRecord[]> => {
  const found: AuditRecord[] = [];
  const pages = pagesOf(access, {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
    ...more,
  });
  for await (const items of pages) {
    found.push(...items.map(({ pk: _, sk: __, ...record }) => record as AuditRecord));
    if (more.Limit !== undefined && found.length > 0) break;
  }
  return found;
};
