import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { withRetries } from '../../../functions/shared/store/dynamodb/retry.ts';
import type { TableAccess } from '../../../functions/shared/store/dynamodb/table-access.ts';
import { donePartitionOf, partitionOf } from '../../../functions/shared/store/partners/audit-log.ts';
import { type KeptRecord, toKeptRecord } from './audit-trail.ts';

/** `isDone`: the command ended. */
export type ListedRecord = KeptRecord & { isDone: boolean };

/** Records from `since` on and below `below`: times such as `2026-11-22T12:00:00.000Z`; `below` may also be an id. */
type AuditQuery = { since: string; below: string; limit: number };

/** Audit records, read from the copy that is never restored. */
export type AuditRecords = {
  /** Reads records of one month, newest first, with two Queries; `next` is the `below` of the following read. */
  readBelow: (query: AuditQuery) => Promise<{ records: ListedRecord[]; next?: string }>;
};

export const createAuditRecords = (access: TableAccess<'auditTable'>): AuditRecords => ({
  readBelow: async ({ since, below, limit }) => {
    const month = monthOf(below);
    const startMs = month.getTime();
    const seen = await newestOf(access, partitionOf(startMs), { from: since, to: below, limit });
    const found = seen.items.map(toKeptRecord).filter(({ id }) => id < below);
    const done = await doneAmong(access, donePartitionOf(startMs), found);
    const next = seen.last ?? month.toISOString();
    return {
      records: found.map((record) => ({ ...record, isDone: done.has(record.id) })),
      ...(next > since && { next }),
    };
  },
});

type Span = { from: string; to: string; limit: number };

/** `last` is the key of the last item read, where more may follow. */
const newestOf = async (
  { documents, auditTable, retryDelays }: TableAccess<'auditTable'>,
  pk: string,
  { from, to, limit }: Span,
) => {
  const request = new QueryCommand({
    TableName: auditTable,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
    ScanIndexForward: false,
    Limit: limit,
    ConsistentRead: true,
  });
  const { Items = [], LastEvaluatedKey } = await withRetries(() => documents.send(request), retryDelays);
  return { items: Items, ...(LastEvaluatedKey && { last: String(LastEvaluatedKey.sk) }) };
};

/** The ids of ended commands: between two records there are no more of these than records, so `limit` is enough. */
const doneAmong = async (
  access: TableAccess<'auditTable'>,
  pk: string,
  found: readonly KeptRecord[],
): Promise<Set<string>> => {
  const [to, from] = [found.at(0)?.id, found.at(-1)?.id];
  if (from === undefined || to === undefined) return new Set();
  const { items } = await newestOf(access, pk, { from, to, limit: found.length });
  return new Set(items.map(({ sk }) => String(sk)));
};

/** The beginning of the month of the newest possible record below. */
const monthOf = (below: string): Date => {
  const [time = '', id] = below.split('#');
  const newest = new Date(Date.parse(time) - (id === undefined ? 1 : 0));
  return new Date(Date.UTC(newest.getUTCFullYear(), newest.getUTCMonth(), 1));
};
