import type { StoredTransaction } from '../../domain/transaction/transaction.ts';
import { pagesOf } from '../dynamodb/pages.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { changedPartitions } from './changed-keys.ts';

/** A transaction that partners are to hear of, as of its last change. */
export type Changed = Pick<StoredTransaction, 'version' | 'silentUpToVersion' | 'updatedAtMs'> & {
  uuid: string;
};

/** From `fromMs`, and before `toMs`. */
export type ChangeSpan = { fromMs: number; toMs: number };

/** What the reconciler reads. The index may be late; what changes again while it is read comes under its new time. */
export type ChangeIndex = { changedBetween: (span: ChangeSpan) => AsyncIterable<Changed> };

/** What changed, over DynamoDB: hour by hour, the oldest first, so that nothing moves out of what is still to be read. */
export const createChangeIndex = (access: TableAccess<'transactionsTable'>): ChangeIndex => ({
  async *changedBetween(span) {
    for (const partition of changedPartitions(span.fromMs, span.toMs))
      yield* changedWithin(access, partition, span);
  },
});

async function* changedWithin(
  access: TableAccess<'transactionsTable'>,
  partition: string,
  { fromMs, toMs }: ChangeSpan,
): AsyncGenerator<Changed> {
  const pages = pagesOf(access, {
    TableName: access.transactionsTable,
    IndexName: 'changed',
    KeyConditionExpression: '#changedIn = :partition AND #updatedAtMs BETWEEN :from AND :last',
    ExpressionAttributeNames: { '#changedIn': 'changedIn', '#updatedAtMs': 'updatedAtMs' },
    ExpressionAttributeValues: { ':partition': partition, ':from': fromMs, ':last': toMs - 1 },
  });
  for await (const items of pages) yield* items.map(changedOf);
}

const changedOf = ({ uuid, version, quietVersion, updatedAtMs }: Record<string, unknown>): Changed => ({
  uuid: String(uuid),
  version: Number(version),
  silentUpToVersion: Number(quietVersion),
  updatedAtMs: Number(updatedAtMs),
});
