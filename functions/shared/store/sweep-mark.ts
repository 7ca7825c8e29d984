import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { failureOf, withRetries } from './dynamodb/retry.ts';
import { type ListingKey, sequenceKey, sequencePartition } from './listing/keys.ts';
import type { ListingPlace } from './listing/runs.ts';

/** How far the sweep came, and where the creation sequence stood when it last ran: writes of that time have ended. */
export type SweepMark = { position: number; sequence: number };

const markKey: ListingKey = { pk: sequencePartition, sk: 'sweep' };

export const readMark = async (place: ListingPlace): Promise<SweepMark> => {
  const item = await readItem(place, markKey);
  return { position: Number(item?.n ?? 0), sequence: Number(item?.sequence ?? 0) };
};

export const readSequence = async (place: ListingPlace) =>
  Number((await readItem(place, sequenceKey))?.n ?? 0);

const readItem = async ({ documents, listingTable, patience }: ListingPlace, key: ListingKey) => {
  const request = new GetCommand({ TableName: listingTable, Key: key, ConsistentRead: true });
  return (await withRetries(() => documents.send(request), patience)).Item;
};

/** The mark only rises: of two sweeps at once the one that came further is remembered. */
export const moveMark = async (
  { documents, listingTable, patience }: ListingPlace,
  { position, sequence }: SweepMark,
) => {
  const request = new UpdateCommand({
    TableName: listingTable,
    Key: markKey,
    UpdateExpression: 'SET #n = :position, #sequence = :sequence',
    ConditionExpression: 'attribute_not_exists(#n) OR #n <= :position',
    ExpressionAttributeNames: { '#n': 'n', '#sequence': 'sequence' },
    ExpressionAttributeValues: { ':position': position, ':sequence': sequence },
  });
  try {
    await withRetries(() => documents.send(request), patience);
  } catch (error) {
    if (failureOf(error) !== 'condition-failed') throw error;
  }
};
