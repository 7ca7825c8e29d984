import type { StoredTransaction } from '../../domain/transaction/transaction.ts';
import { chunksOf } from '../../runtime/chunks.ts';
import { pagesOf } from '../dynamodb/pages.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { changedPartitions, changedShards } from './changed-keys.ts';

/** A transaction with a change of which partners are to be notified, as of its last change. */
export type Changed = Pick<StoredTransaction, 'version' | 'notifyFromVersion' | 'updatedAtMs'> & {
  uuid: string;
};

/** From `fromMs`, and before `toMs`. */
export type ChangeSpan = { fromMs: number; toMs: number };

/** The oldest first. The index may be late. A transaction that changes during the read appears at its new time. */
export type ChangeIndex = { changedBetween: (span: ChangeSpan) => AsyncIterable<Changed> };

/** Changes over DynamoDB, from the past on, so that nothing moves out of the part that is still to be read. */
export const createChangeIndex = (access: TableAccess<'transactionsTable'>): ChangeIndex => ({
  async *changedBetween(span) {
    for (const hour of chunksOf(changedPartitions(span.fromMs, span.toMs), changedShards))
      yield* oldestFirst(hour.map((partition) => changedWithin(access, partition, span)));
  },
});

/** Merges the partitions of an hour, each of which is in order. */
async function* oldestFirst(parts: readonly AsyncGenerator<Changed>[]): AsyncGenerator<Changed> {
  const read = async (part: AsyncGenerator<Changed>) => ({ part, head: await part.next() });
  let left = await Promise.all(parts.map(read));
  for (;;) {
    left = left.filter(({ head }) => !head.done);
    const [oldest] = left.toSorted((one, other) => one.head.value.updatedAtMs - other.head.value.updatedAtMs);
    if (!oldest) return;
    yield oldest.head.value;
    oldest.head = await oldest.part.next();
  }
}

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

const changedOf = ({ uuid, version, notifyFromVersion, updatedAtMs }: Record<string, unknown>): Changed => ({
  uuid: String(uuid),
  version: Number(version),
  notifyFromVersion: Number(notifyFromVersion),
  updatedAtMs: Number(updatedAtMs),
});
