import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { pagesOf } from '../dynamodb/pages.ts';
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

/**
 * A record as it lies in the copy. `isLost`: the Partners table, which may have gone back, does not have it. `isDone`: the
 * command came to its end; without it, it may have failed, or died on its way.
 */
type TrailRecord = KeptRecord & { isLost: boolean; isDone: boolean };

/** What an adoption asks of the records (DR-2). */
export type AuditTrail = {
  /** The records of the last months, the oldest first, from the copy that no restore takes back. */
  read: (now: Date) => Promise<TrailRecord[]>;
  /** Gives the Partners table back the records that it has lost. */
  giveBack: (records: readonly TrailRecord[]) => Promise<void>;
};

/** A record as it lies there; ids are in the order of time. */
export type KeptRecord = AuditRecord & { id: string };

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

/** A table goes back 35 days at most: that is in this month, in the last one, or in the one before. */
const monthsBack = 2;

/** The records as an adoption reads them. */
export const createAuditTrail = (access: AuditAccess): AuditTrail => ({
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

/** An item as a record. */
export const toKeptRecord = ({ pk: _, sk, ...record }: Record<string, unknown>): KeptRecord => ({
  ...(record as AuditRecord),
  id: String(sk),
});
