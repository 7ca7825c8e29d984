import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { JWK } from 'jose';

/** The public keys of access tokens, beside the partners so that verifying needs no further right. */
export type KeyStore = {
  /** For the JWKS document and for verifying. Throws when none were ever published: then nothing can be judged. */
  published: () => Promise<JWK[]>;
  publish: (keys: readonly JWK[]) => Promise<void>;
};

const accessKeys = { pk: 'KEYS', sk: 'ACCESS' };

export const createKeyStore = (client: DynamoDBDocumentClient, tableName: string): KeyStore => ({
  published: async () => {
    const { Item } = await client.send(
      new GetCommand({ TableName: tableName, Key: accessKeys, ConsistentRead: true }),
    );
    if (!Item) throw new Error('No keys of access tokens are published');
    return Item.keys as JWK[];
  },
  publish: async (keys) => {
    await client.send(new PutCommand({ TableName: tableName, Item: { ...accessKeys, keys } }));
  },
});
