import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { conditionHeld } from '../dynamodb/failure.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import type { ListingKey } from './keys.ts';

/** Raises one of the sequences to `least`; where it is further already, nothing is to be done. */
export const raiseSequence = async (
  { documents, listingTable, retryDelays }: TableAccess<'listingTable'>,
  key: ListingKey,
  least: number,
): Promise<void> => {
  const request = new UpdateCommand({
    TableName: listingTable,
    Key: key,
    UpdateExpression: 'SET #n = :least',
    ConditionExpression: 'attribute_not_exists(#n) OR #n < :least',
    ExpressionAttributeNames: { '#n': 'n' },
    ExpressionAttributeValues: { ':least': least },
  });
  await conditionHeld(withRetries(() => documents.send(request), retryDelays));
};
