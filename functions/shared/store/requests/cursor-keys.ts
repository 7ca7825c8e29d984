import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { RandomBytes } from '../../runtime/random-text.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';

/** The key under which the cursors of one partner are closed; made when it is first asked for. */
export type CursorKeys = { of: (clientId: string, nowMs: number) => Promise<Uint8Array> };

const day = 24 * 60 * 60 * 1000;
/** Longer than anything that a cursor leads to is kept. */
const keptMs = 60 * day;
/** It is put off when half of that is over, so that no cursor ends before 30 days. */
const putOffMs = 30 * day;
const keyBytes = 32;

/** One item for each partner. `expiresAt` is for the engine, which counts whole seconds. */
export const createCursorKeys = (
  access: TableAccess<'requestsTable'> & { random: RandomBytes },
): CursorKeys => ({
  of: async (clientId, nowMs) => {
    const { documents, requestsTable, retryDelays } = access;
    const Key = { pk: `SEAL#${clientId}`, sk: '0' };
    const { Item } = await withRetries(() => documents.send(consistentGet(requestsTable, Key)), retryDelays);
    const isFresh = Item !== undefined && Number(Item.expiresAt) * 1000 > nowMs + putOffMs;
    return isFresh ? (Item.key as Uint8Array) : keep(Key, nowMs, access);
  },
});

/** Of two that make it at the same moment both get the first one's. */
const keep = async (
  Key: { pk: string; sk: string },
  nowMs: number,
  { documents, requestsTable, retryDelays, random }: TableAccess<'requestsTable'> & { random: RandomBytes },
): Promise<Uint8Array> => {
  const request = new UpdateCommand({
    TableName: requestsTable,
    Key,
    UpdateExpression: 'SET #key = if_not_exists(#key, :key), #expiresAt = :end',
    ExpressionAttributeNames: { '#key': 'key', '#expiresAt': 'expiresAt' },
    ExpressionAttributeValues: { ':key': random(keyBytes), ':end': Math.ceil((nowMs + keptMs) / 1000) },
    ReturnValues: 'ALL_NEW',
  });
  const { Attributes } = await withRetries(() => documents.send(request), retryDelays);
  return Attributes?.key as Uint8Array;
};
