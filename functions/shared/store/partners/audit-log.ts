import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { TableAccess } from '../dynamodb/table-access.ts';

/** A command that somebody is about to run. Arguments are as typed. No command takes a secret as an argument. */
export type AuditRecord = {
  /** The name that the person gave, or their user name of the operating system. */
  who: string;
  /** The ARN of the credentials, as STS reports it. */
  caller?: string;
  command: string;
  arguments: Record<string, unknown>;
  atMs: number;
};

/** Append-only: records cannot be changed or removed. */
export type AuditStore = {
  /**
   * Called before the change that it records, so that no change is without a record (S-28). Returns a function that
   * records the end of the change (DR-12).
   */
  append: (record: AuditRecord) => Promise<NoteDone>;
};

/** Records that the command has ended. */
export type NoteDone = () => Promise<void>;

type AuditAccess = TableAccess<'partnersTable' | 'auditTable'>;

/**
 * Audit records: `AUDIT#<yyyy-mm>` / `<ISO time>#<id>`, one partition a month, in the Partners table, and again in the
 * Audit table, which is never restored together with another one (DR-2). A command begins after both are written, so
 * its changes can be found after a restore of the Partners table. The end of a command is another item of the copy,
 * `DONE#<yyyy-mm>` with the same sort key, because no record is ever changed.
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

/** The partition of a month's records. */
export const partitionOf = (atMs: number) => `AUDIT#${monthTextOf(atMs)}`;

/** The partition of the ids of commands that ended. */
export const donePartitionOf = (atMs: number) => `DONE#${monthTextOf(atMs)}`;
