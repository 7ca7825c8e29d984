import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { isInForce } from './request-store.ts';

/** A revoked access token, kept until nothing takes it anyway. */
type RevokedToken = { jti: string; expiresAtMs: number };

/** Single tokens that were revoked, by their ids: a token's text can be spelt in other ways (S-32). */
export type Denylist = {
  has: (jti: string, now: Date) => Promise<boolean>;
  /** Revoking again changes nothing. */
  add: (token: RevokedToken) => Promise<void>;
};

const keyOf = (jti: string) => ({ pk: `REVOKED#${jti}`, sk: '0' });

/** For those that are asked with a token. Whether an entry still counts is judged by its time, not by the engine's removal (S-60). */
export const createDenylistReader = ({
  documents,
  requestsTable,
}: TableAccess<'requestsTable'>): Pick<Denylist, 'has'> => ({
  has: async (jti, now) => {
    const { Item } = await documents.send(consistentGet(requestsTable, keyOf(jti)));
    return Item !== undefined && isInForce({ expiresAtMs: Item.expiresAtMs as number }, now.getTime());
  },
});

/** For the token service. `expiresAt` is for the engine, which counts whole seconds. */
export const createDenylistWriter = ({
  documents,
  requestsTable,
}: TableAccess<'requestsTable'>): Pick<Denylist, 'add'> => ({
  add: async ({ jti, expiresAtMs }) => {
    const Item = { ...keyOf(jti), expiresAtMs, expiresAt: Math.ceil(expiresAtMs / 1000) };
    await documents.send(new PutCommand({ TableName: requestsTable, Item }));
  },
});
