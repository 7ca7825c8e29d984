import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { failureOf, type Patience, realPatience, withRetries } from '../dynamodb/retry.ts';
import { type ListingKey, sequencePartition } from '../listing/keys.ts';

type Place = { documents: DynamoDBDocumentClient; listingTable: string; patience: Patience };

const idsKey: ListingKey = { pk: sequencePartition, sk: 'ids' };

/** One sequence over DynamoDB; an id whose answer was lost is never given again, and gaps are harmless. */
export const createNumericIds = (deps: Omit<Place, 'patience'> & { patience?: Patience }): NumericIds => {
  const place = { patience: realPatience, ...deps };
  return { next: () => next(place), atLeast: (largest) => atLeast(place, largest) };
};

const next = async ({ documents, listingTable, patience }: Place) => {
  const request = new UpdateCommand({
    TableName: listingTable,
    Key: idsKey,
    UpdateExpression: 'ADD #n :one',
    ExpressionAttributeNames: { '#n': 'n' },
    ExpressionAttributeValues: { ':one': 1 },
    ReturnValues: 'UPDATED_NEW',
  });
  const { Attributes } = await withRetries(() => documents.send(request), patience);
  return Number(Attributes?.n);
};

/** Where ids are larger already, nothing is to be done. */
const atLeast = async ({ documents, listingTable, patience }: Place, largest: number) => {
  const request = new UpdateCommand({
    TableName: listingTable,
    Key: idsKey,
    UpdateExpression: 'SET #n = :largest',
    ConditionExpression: 'attribute_not_exists(#n) OR #n < :largest',
    ExpressionAttributeNames: { '#n': 'n' },
    ExpressionAttributeValues: { ':largest': largest },
  });
  try {
    await withRetries(() => documents.send(request), patience);
  } catch (error) {
    if (failureOf(error) !== 'condition-failed') throw error;
  }
};

/** Numeric ids of payments and transactions: one sequence, unique, never reused, below 2^53 (ID-2). */
export type NumericIds = {
  next: () => Promise<number>;
  /** Ids that an import brings are taken: later ones are larger. */
  atLeast: (largest: number) => Promise<void>;
};
