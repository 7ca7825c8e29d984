import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { conditionHeld } from '../dynamodb/failure.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { type ListingKey, sequencePartition } from '../listing/keys.ts';

/** Work that goes through all transactions in parts, and its progress. */
export type MarkName = 'sweep' | 'retention-delete' | 'retention-erase';

/** A mark's numbers: `n` is the progress of the work. */
export type Mark = { n: number; sequence?: number };

const keyOf = (sk: MarkName): ListingKey => ({ pk: sequencePartition, sk });

/** Undefined before the first invocation. */
export const readMark = async (
  { documents, listingTable, retryDelays }: TableAccess<'listingTable'>,
  name: MarkName,
): Promise<Mark | undefined> => {
  const request = consistentGet(listingTable, keyOf(name));
  return (await withRetries(() => documents.send(request), retryDelays)).Item as Mark | undefined;
};

/** Sets a mark, after a restore of tables. The work must not be running. */
export const putMark = async (
  { documents, listingTable }: TableAccess<'listingTable'>,
  name: MarkName,
  mark: Mark,
): Promise<void> => {
  await documents.send(new PutCommand({ TableName: listingTable, Item: { ...keyOf(name), ...mark } }));
};

/** A mark only rises: of two concurrent invocations the one that got further counts. */
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
