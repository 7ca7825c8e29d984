import { createHash } from 'node:crypto';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { NewTransaction } from '../../../../functions/shared/domain/transaction/new-transaction.ts';
import { consistentGet } from '../../../../functions/shared/store/dynamodb/consistent-get.ts';
import { withRetries } from '../../../../functions/shared/store/dynamodb/retry.ts';
import { type ListingKey, positionsKey } from '../../../../functions/shared/store/listing/keys.ts';
import {
  reservePositions,
  type WriterAccess,
} from '../../../../functions/shared/store/transactions/write.ts';

/**
 * The positions that a list of transactions takes: that of each is `first` and its index. While the list is written they
 * are noted in the table, so that who begins anew after a crash gives each one the position that it was to have.
 */
export type KeptPositions = { key: ListingKey; first: number | undefined };

/** The positions that this list was given and has not filled; none where it is new. */
export const readPositions = async (
  { documents, listingTable, retryDelays }: WriterAccess,
  transactions: readonly NewTransaction[],
): Promise<KeptPositions> => {
  const key = positionsKey(fingerprintOf(transactions));
  const request = consistentGet(listingTable, key);
  const { Item } = await withRetries(() => documents.send(request), retryDelays);
  return { key, first: Item && Number(Item.n) };
};

/** Its positions belong to these uuids in this order, and to nobody else. */
const fingerprintOf = (transactions: readonly NewTransaction[]) => {
  const hash = createHash('sha256');
  for (const { transaction } of transactions) hash.update(`${transaction.uuid}\n`);
  return hash.digest('base64url');
};

/** Takes as many new positions as the list is long, and notes them before the first is filled. */
export const takePositions = async (
  access: WriterAccess,
  key: ListingKey,
  count: number,
): Promise<number> => {
  const { documents, listingTable, retryDelays } = access;
  const first = await reservePositions(access, count);
  const request = new PutCommand({ TableName: listingTable, Item: { ...key, n: first } });
  await withRetries(() => documents.send(request), retryDelays);
  return first;
};

/** What is filled needs no note. */
export const forgetPositions = async (
  { documents, listingTable, retryDelays }: WriterAccess,
  key: ListingKey,
): Promise<void> => {
  const request = new DeleteCommand({ TableName: listingTable, Key: key });
  await withRetries(() => documents.send(request), retryDelays);
};
