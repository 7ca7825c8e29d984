import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { conditionHeld } from '../dynamodb/failure.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import type { ListingKey } from './keys.ts';

/**
 * Raises one of the sequences to `least`, or does nothing if it is higher. Returns its previous value, `least` at most.
 */
export const raiseSequence = async (
  { documents, listingTable, retryDelays }: TableAccess<'listingTable'>,
  key: ListingKey,
  least: number,
): Promise<number> => {
  const request = new UpdateCommand({
    TableName: listingTable,
    Key: key,
    UpdateExpression: 'SET #n = :least',
    ConditionExpression: 'attribute_not_exists(#n) OR #n < :least',
    ExpressionAttributeNames: { '#n': 'n' },
    ExpressionAttributeValues: { ':least': least },
    ReturnValues: 'UPDATED_OLD',
  });
  let former = least;
  const raise = async () => {
    const { Attributes } = await documents.send(request);
    former = Number(Attributes?.n ?? 0);
  };
  await conditionHeld(withRetries(raise, retryDelays));
  return former;
};
