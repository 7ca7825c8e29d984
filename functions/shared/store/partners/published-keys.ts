import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { JWK } from 'jose';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';

/** The public keys of access tokens, beside the partners so that verifying needs no further right. */
export type KeyStore = {
  /** For the JWKS document and for verifying. Throws when none were ever published: then nothing can be judged. */
  published: () => Promise<JWK[]>;
  publish: (keys: readonly JWK[]) => Promise<void>;
};

const accessKeys = { pk: 'KEYS', sk: 'ACCESS' };

/** The keys in the Partners table. */
export const createKeyStore = ({ documents, partnersTable }: TableAccess<'partnersTable'>): KeyStore => ({
  published: async () => {
    const { Item } = await documents.send(consistentGet(partnersTable, accessKeys));
    if (!Item) throw new Error('No keys of access tokens are published');
    return Item.keys as JWK[];
  },
  publish: async (keys) => {
    await documents.send(new PutCommand({ TableName: partnersTable, Item: { ...accessKeys, keys } }));
  },
});
