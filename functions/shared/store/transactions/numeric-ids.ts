import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { withRetries } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { type ListingKey, sequencePartition } from '../listing/keys.ts';
import { raiseSequence } from '../listing/raise-sequence.ts';

/** Numeric ids of payments and transactions: one sequence, unique, never reused, below 2^53 (ID-2). */
export type NumericIds = {
  /** One, or the first of so many in a row. */
  next: (count?: number) => Promise<number>;
  /** Ids that an import brings are taken: later ones are larger. Answers up to which of them others may have been given. */
  atLeast: (largest: number) => Promise<number>;
};

const idsKey: ListingKey = { pk: sequencePartition, sk: 'ids' };

/** One sequence over DynamoDB; an id whose answer was lost is never given again, and gaps are harmless. */
export const createNumericIds = (access: TableAccess<'listingTable'>): NumericIds => ({
  next: (count = 1) => next(access, count),
  atLeast: (largest) => raiseSequence(access, idsKey, largest),
});

const next = async ({ documents, listingTable, retryDelays }: TableAccess<'listingTable'>, count: number) => {
  const request = new UpdateCommand({
    TableName: listingTable,
    Key: idsKey,
    UpdateExpression: 'ADD #n :count',
    ExpressionAttributeNames: { '#n': 'n' },
    ExpressionAttributeValues: { ':count': count },
    ReturnValues: 'UPDATED_NEW',
  });
  const { Attributes } = await withRetries(() => documents.send(request), retryDelays);
  return Number(Attributes?.n) - count + 1;
};
