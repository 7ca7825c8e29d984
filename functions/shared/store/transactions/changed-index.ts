import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { StoredTransaction } from '../../domain/transaction/transaction.ts';
import { type Patience, realPatience, withRetries } from '../dynamodb/retry.ts';
import { changedPartitions } from './changed-keys.ts';

/** A transaction that has something to tell, as of its last change. */
export type Changed = Pick<StoredTransaction, 'version' | 'quietVersion' | 'updatedAtMs'> & { uuid: string };

/** From `fromMs`, and before `toMs`. */
export type ChangeSpan = { fromMs: number; toMs: number };

/** The reconciler's way in (events 5). The index may be late; what changes again while it is read comes under its new time. */
export type ChangeIndex = { changedBetween: (span: ChangeSpan) => AsyncIterable<Changed> };

type ChangeIndexDeps = {
  documents: DynamoDBDocumentClient;
  transactionsTable: string;
  patience?: Patience;
};

/** What changed, over DynamoDB: hour by hour, the oldest first, so that nothing moves out of what is still to be read. */
export const createChangeIndex = (deps: ChangeIndexDeps): ChangeIndex => {
  const parts = { patience: realPatience, ...deps };
  return {
    async *changedBetween(span) {
      for (const partition of changedPartitions(span.fromMs, span.toMs))
        yield* changedWithin(parts, partition, span);
    },
  };
};

async function* changedWithin(
  { documents, transactionsTable, patience }: Required<ChangeIndexDeps>,
  partition: string,
  { fromMs, toMs }: ChangeSpan,
): AsyncGenerator<Changed> {
  let start: Record<string, unknown> | undefined;
  do {
    const request = new QueryCommand({
      TableName: transactionsTable,
      IndexName: 'changed',
      KeyConditionExpression: '#changedIn = :partition AND #updatedAtMs BETWEEN :from AND :last',
      ExpressionAttributeNames: { '#changedIn': 'changedIn', '#updatedAtMs': 'updatedAtMs' },
      ExpressionAttributeValues: { ':partition': partition, ':from': fromMs, ':last': toMs - 1 },
      ...(start && { ExclusiveStartKey: start }),
    });
    const { Items = [], LastEvaluatedKey } = await withRetries(() => documents.send(request), patience);
    yield* Items.map(changedOf);
    start = LastEvaluatedKey;
  } while (start);
}

const changedOf = ({ uuid, version, quietVersion, updatedAtMs }: Record<string, unknown>): Changed => ({
  uuid: String(uuid),
  version: Number(version),
  quietVersion: Number(quietVersion),
  updatedAtMs: Number(updatedAtMs),
});
