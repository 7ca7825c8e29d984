import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type KeySchemaElement,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '../../functions/shared/store/dynamodb/client.ts';
import { type Emulator, settingsFor } from './account.ts';

/** A table as a restore leaves it, and what docs/recovery.md adds to it. */
export type Restored = { table: string; streamArn: string };

/**
 * Copies a table under another name, because no emulator restores to a point in time. Its stream is that of step 2 of
 * docs/recovery.md.
 */
export const copyTable = async (emulator: Emulator, from: string, table: string): Promise<Restored> => {
  const config = settingsFor(emulator);
  const client = new DynamoDBClient(config);
  const documents = createDocumentClient(config);
  const { Table = {} } = await client.send(new DescribeTableCommand({ TableName: from }));
  const { TableDescription } = await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: Table.AttributeDefinitions,
      KeySchema: Table.KeySchema as KeySchemaElement[],
      GlobalSecondaryIndexes: Table.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
        ...{ IndexName, KeySchema, Projection },
      })),
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName: table });
  const { Items = [] } = await documents.send(new ScanCommand({ TableName: from, ConsistentRead: true }));
  for (let index = 0; index < Items.length; index += 25) {
    const puts = Items.slice(index, index + 25).map((Item) => ({ PutRequest: { Item } }));
    await documents.send(new BatchWriteCommand({ RequestItems: { [table]: puts } }));
  }
  return { table, streamArn: TableDescription?.LatestStreamArn ?? '' };
};
