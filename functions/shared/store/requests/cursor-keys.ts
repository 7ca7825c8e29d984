import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { RandomBytes } from '../../runtime/random-text.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';

/** The encryption key for the cursors of one partner, or of all V1 sessions. Made at its first use. */
export type CursorKeys = { of: (owner: string, nowMs: number) => Promise<Uint8Array> };

/** One owner for the cursors of all V1 sessions, because a key for each session would cost a write for each. */
export const sessionCursors = 'V1';

const day = 24 * 60 * 60 * 1000;
/** Longer than the rows to which cursors of events lead are stored. */
const keptMs = 60 * day;
/** The expiry is extended when half of this time is over, so that every cursor lasts at least 30 days. */
const putOffMs = 30 * day;
const keyBytes = 32;

type Access = TableAccess<'requestsTable'> & { random: RandomBytes };
/** `expiresAt` is for the engine's TTL, in whole seconds. */
type KeyItem = { key: Uint8Array; expiresAt: number };

/** One item for each owner. A process reads it once, and again when its expiry must be extended. */
export const createCursorKeys = (access: Access): CursorKeys => {
  const known = new Map<string, KeyItem>();
  return {
    of: async (owner, nowMs) => {
      const found = known.get(owner) ?? (await read(owner, access));
      const item = found && isFresh(found, nowMs) ? found : await keep(owner, nowMs, access);
      known.set(owner, item);
      return item.key;
    },
  };
};

const keyOf = (owner: string) => ({ pk: `SEAL#${owner}`, sk: '0' });

const isFresh = ({ expiresAt }: KeyItem, nowMs: number) => expiresAt * 1000 > nowMs + putOffMs;

const read = async (
  owner: string,
  { documents, requestsTable, retryDelays }: Access,
): Promise<KeyItem | undefined> => {
  const request = consistentGet(requestsTable, keyOf(owner));
  const { Item } = await withRetries(() => documents.send(request), retryDelays);
  return Item as KeyItem | undefined;
};

/** If two processes make it at the same moment, both get the first one. */
const keep = async (
  owner: string,
  nowMs: number,
  { documents, requestsTable, retryDelays, random }: Access,
): Promise<KeyItem> => {
  const request = new UpdateCommand({
    TableName: requestsTable,
    Key: keyOf(owner),
    UpdateExpression: 'SET #key = if_not_exists(#key, :key), #expiresAt = :end',
    ExpressionAttributeNames: { '#key': 'key', '#expiresAt': 'expiresAt' },
    ExpressionAttributeValues: { ':key': random(keyBytes), ':end': Math.ceil((nowMs + keptMs) / 1000) },
    ReturnValues: 'ALL_NEW',
  });
  const { Attributes } = await withRetries(() => documents.send(request), retryDelays);
  return Attributes as KeyItem;
};
