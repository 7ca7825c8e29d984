import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { isInForce } from './request-store.ts';

/** A revoked access token, stored until it would have expired. */
type RevokedToken = { jti: string; expiresAtMs: number };

/** Single revoked tokens by their ids, because the text of a token can be spelt differently (S-32). */
export type Denylist = {
  has: (jti: string, now: Date) => Promise<boolean>;
  /** Revoking again changes nothing. */
  add: (token: RevokedToken) => Promise<void>;
};

const keyOf = (jti: string) => ({ pk: `REVOKED#${jti}`, sk: '0' });

/**
 * For functions that verify tokens. The entry's time decides whether it still counts, not its removal by the engine
 * (S-60).
 */
export const createDenylistReader = ({
  documents,
  requestsTable,
}: TableAccess<'requestsTable'>): Pick<Denylist, 'has'> => ({
  has: async (jti, now) => {
    const { Item } = await documents.send(consistentGet(requestsTable, keyOf(jti)));
    return Item !== undefined && isInForce({ expiresAtMs: Item.expiresAtMs as number }, now.getTime());
  },
});

/** For the token service. `expiresAt` is for the engine's TTL, in whole seconds. */
export const createDenylistWriter = ({
  documents,
  requestsTable,
}: TableAccess<'requestsTable'>): Pick<Denylist, 'add'> => ({
  add: async ({ jti, expiresAtMs }) => {
    const Item = { ...keyOf(jti), expiresAtMs, expiresAt: Math.ceil(expiresAtMs / 1000) };
    await documents.send(new PutCommand({ TableName: requestsTable, Item }));
  },
});
