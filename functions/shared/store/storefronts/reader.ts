import { type DynamoDBDocumentClient, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Storefront } from '../../domain/ownership/storefront.ts';
import { defaultKey, groupPartition, originPartition } from './keys.ts';
import type { EstateStore } from './storefront-store.ts';

/** What requests ask of the estate; apart from the writes, which no function that reads has to carry (S-67). */
export type EstateReader = Pick<EstateStore, 'ofOrigin' | 'stageDefault' | 'ofGroup'>;

export const createEstateReader = (client: DynamoDBDocumentClient, table: string): EstateReader => {
  const { get, query } = estateItems(client, table);
  return {
    ofOrigin: (origin) => query(originPartition(origin)),
    stageDefault: () => get(defaultKey),
    ofGroup: async (group) =>
      (await query(groupPartition(group))).filter(({ owner }) => owner.group === group),
  };
};

/** Every item of the estate carries the whole storefront. All reads are strongly consistent. */
export const estateItems = (client: DynamoDBDocumentClient, table: string) => ({
  get: async (Key: { pk: string; sk: string }) => {
    const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
    return Item?.storefront as Storefront | undefined;
  },
  query: (pk: string) => storefrontsIn(client, table, pk),
});

const storefrontsIn = async (client: DynamoDBDocumentClient, table: string, pk: string) => {
  const found: Storefront[] = [];
  const pages = paginateQuery(
    { client },
    {
      TableName: table,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
    },
  );
  for await (const { Items = [] } of pages) found.push(...Items.map((item) => item.storefront as Storefront));
  return found;
};
