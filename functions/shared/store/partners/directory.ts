import { BatchGetCommand, type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Partner } from '../../domain/partner.ts';
import { namesPartition, profileKey } from './keys.ts';
import type { PartnerStore } from './partner-store.ts';

/** Everybody who may be told, as of now: strongly consistent, never cached (S-08, I9). */
export type PartnerDirectory = {
  all: () => Promise<Partner[]>;
  byClientIds: (clientIds: readonly string[]) => Promise<Map<string, Partner>>;
};

/**
 * Everybody who may be told of a change, strongly consistent (S-08, I9). Apart from the writes, which no function that
 * publishes has to carry.
 */
export const createPartnerDirectory = (
  client: DynamoDBDocumentClient,
  tableName: string,
): PartnerDirectory => ({
  all: async () => {
    const clientIds = await listClientIds(client, tableName);
    const partners = await readProfiles(client, tableName, clientIds);
    return clientIds.flatMap((clientId) => partners.get(clientId) ?? []);
  },
  byClientIds: (clientIds) => readProfiles(client, tableName, [...new Set(clientIds)]),
});

/** The same over a whole store, for the stand-in in memory. */
export const directoryOver = ({ all }: Pick<PartnerStore, 'all'>): PartnerDirectory => ({
  all,
  byClientIds: async (clientIds) => {
    const partners = (await all()).filter(({ clientId }) => clientIds.includes(clientId));
    return new Map(partners.map((partner) => [partner.clientId, partner]));
  },
});

/** Every partner's id, in the order of names. */
export const listClientIds = async (client: DynamoDBDocumentClient, tableName: string) => {
  const clientIds: string[] = [];
  let startKey: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: 'pk = :names',
        ExpressionAttributeValues: { ':names': namesPartition },
        ConsistentRead: true,
        ExclusiveStartKey: startKey,
      }),
    );
    clientIds.push(...(page.Items ?? []).map((item) => item.clientId as string));
    startKey = page.LastEvaluatedKey;
  } while (startKey);
  return clientIds;
};

/** The partners of these ids. BatchGetItem takes 100 keys and may leave some for the next request. */
export const readProfiles = async (
  client: DynamoDBDocumentClient,
  tableName: string,
  clientIds: string[],
) => {
  const partners = new Map<string, Partner>();
  let waiting: Record<string, unknown>[] = clientIds.map(profileKey);
  while (waiting.length > 0) {
    const answer = await client.send(
      new BatchGetCommand({
        RequestItems: {
          [tableName]: { Keys: waiting.slice(0, 100), ProjectionExpression: 'partner', ConsistentRead: true },
        },
      }),
    );
    const found = (answer.Responses?.[tableName] ?? []).map((item) => item.partner as Partner);
    for (const partner of found) partners.set(partner.clientId, partner);
    waiting = [...waiting.slice(100), ...(answer.UnprocessedKeys?.[tableName]?.Keys ?? [])];
  }
  return partners;
};
