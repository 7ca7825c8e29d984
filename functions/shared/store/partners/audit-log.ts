import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { TableAccess } from '../dynamodb/table-access.ts';

/** Who was about to do what. Arguments are as typed; no command takes a secret as an argument. */
export type AuditRecord = { who: string; command: string; arguments: Record<string, unknown>; atMs: number };

/** Append-only: there is no way to change or remove a record. */
export type AuditStore = {
  /** Called before the change that it records, so that nothing takes effect without a record (S-28). */
  append: (record: AuditRecord) => Promise<void>;
};

/** Audit records in the Partners table: `AUDIT#<yyyy-mm>` / `<ISO time>#<id>`, one partition a month. */
export const createAuditStore = ({ documents, partnersTable }: TableAccess<'partnersTable'>): AuditStore => ({
  append: async (record) => {
    const time = new Date(record.atMs).toISOString();
    await documents.send(
      new PutCommand({
        TableName: partnersTable,
        Item: { pk: `AUDIT#${time.slice(0, 7)}`, sk: `${time}#${randomUUID()}`, ...record },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    );
  },
});
