import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { withRetries } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { type ListingKey, sequencePartition } from '../listing/keys.ts';
import { raiseSequence } from '../listing/raise-sequence.ts';

/** Numeric ids of payments and transactions: one sequence, unique, never reused, below 2^53 (ID-2). */
export type NumericIds = {
  /** One id, or the first of several in a row. */
  next: (count?: number) => Promise<number>;
  /**
   * Reserves the ids of an import, so that later ones are larger. Returns the number up to which ids may have been
   * given to others.
   */
  atLeast: (largest: number) => Promise<number>;
};

const idsKey: ListingKey = { pk: sequencePartition, sk: 'ids' };

/** One sequence over DynamoDB. An id whose answer was lost is never given again, and gaps are harmless. */
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
