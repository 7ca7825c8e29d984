import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { conditionHeld } from '../dynamodb/failure.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { type ListingKey, sequencePartition } from '../listing/keys.ts';

/** Work that goes through all transactions little by little, and how far it came. */
export type MarkName = 'sweep' | 'retention-delete' | 'retention-erase';

/** A mark's numbers: `n` is how far its work came. */
export type Mark = { n: number; sequence?: number };

const keyOf = (sk: MarkName): ListingKey => ({ pk: sequencePartition, sk });

/** Undefined before the first run. */
export const readMark = async (
  { documents, listingTable, retryDelays }: TableAccess<'listingTable'>,
  name: MarkName,
): Promise<Mark | undefined> => {
  const request = consistentGet(listingTable, keyOf(name));
  return (await withRetries(() => documents.send(request), retryDelays)).Item as Mark | undefined;
};

/** Puts a mark where the work is to go on, after tables went back. No run may be under way. */
export const putMark = async (
  { documents, listingTable }: TableAccess<'listingTable'>,
  name: MarkName,
  mark: Mark,
): Promise<void> => {
  await documents.send(new PutCommand({ TableName: listingTable, Item: { ...keyOf(name), ...mark } }));
};

/** A mark only rises: of two runs at once the one that came further is remembered. */
export const raiseMark = async (
  { documents, listingTable, retryDelays }: TableAccess<'listingTable'>,
  name: MarkName,
  mark: Mark,
): Promise<void> => {
  const numbers = Object.entries(mark);
  const request = new UpdateCommand({
    TableName: listingTable,
    Key: keyOf(name),
    UpdateExpression: `SET ${numbers.map(([number]) => `#${number} = :${number}`).join(', ')}`,
    ConditionExpression: 'attribute_not_exists(#n) OR #n <= :n',
    ExpressionAttributeNames: Object.fromEntries(numbers.map(([number]) => [`#${number}`, number])),
    ExpressionAttributeValues: Object.fromEntries(numbers.map(([number, value]) => [`:${number}`, value])),
  });
  await conditionHeld(withRetries(() => documents.send(request), retryDelays));
};
