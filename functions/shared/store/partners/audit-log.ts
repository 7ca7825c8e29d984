import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { TableAccess } from '../dynamodb/table-access.ts';

/** Who was about to do what. Arguments are as typed; no command takes a secret as an argument. */
export type AuditRecord = {
  /** The name that the person gave, or their user of the operating system. */
  who: string;
  /** The ARN that STS said the credentials were of; records before this rule have none. */
  caller?: string;
  command: string;
  arguments: Record<string, unknown>;
  atMs: number;
};

/** Append-only: there is no way to change or remove a record. */
export type AuditStore = {
  /**
   * Called before the change that it records, so that nothing takes effect without a record (S-28). What it answers is called
   * when all of the change is done (DR-12).
   */
  append: (record: AuditRecord) => Promise<NoteDone>;
};

/** Notes that the command has come to its end. */
export type NoteDone = () => Promise<void>;

type AuditAccess = TableAccess<'partnersTable' | 'auditTable'>;

/**
 * Audit records: `AUDIT#<yyyy-mm>` / `<ISO time>#<id>`, one partition a month, in the Partners table beside what they are
 * about, and once more in a table that goes back with no other (DR-2). A command begins when both are written, and
 * so whatever it has changed can be found after the Partners table went back. That it came to its end is another item of the
 * copy, `DONE#<yyyy-mm>` with the same sort key: no record is ever changed.
 */
export const createAuditStore = ({ documents, partnersTable, auditTable }: AuditAccess): AuditStore => ({
  append: async (record) => {
    const sk = `${textOf(record.atMs)}#${randomUUID()}`;
    const Item = { pk: partitionOf(record.atMs), sk, ...record };
    for (const TableName of [partnersTable, auditTable])
      await documents.send(
        new PutCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' }),
      );
    const done = { pk: donePartitionOf(record.atMs), sk };
    return async () => {
      await documents.send(new PutCommand({ TableName: auditTable, Item: done }));
    };
  },
});

const textOf = (atMs: number) => new Date(atMs).toISOString();
const monthTextOf = (atMs: number) => textOf(atMs).slice(0, 7);

/** The partition of the records of a month. */
export const partitionOf = (atMs: number) => `AUDIT#${monthTextOf(atMs)}`;

/** And that of the ids of those that came to their end. */
export const donePartitionOf = (atMs: number) => `DONE#${monthTextOf(atMs)}`;
