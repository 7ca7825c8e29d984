import { createHash } from 'node:crypto';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { NewTransaction } from '../../../../functions/shared/domain/transaction/new-transaction.ts';
import { consistentGet } from '../../../../functions/shared/store/dynamodb/consistent-get.ts';
import { withRetries } from '../../../../functions/shared/store/dynamodb/retry.ts';
import { type ListingKey, sequenceNumbersKey } from '../../../../functions/shared/store/listing/keys.ts';
import {
  reserveSequenceNumbers,
  type WriterAccess,
} from '../../../../functions/shared/store/transactions/write.ts';

/**
 * The sequence numbers reserved for a list of transactions: `first` plus the index of each. They are stored while the list is
 * written, so that a repeated call after a crash uses the same ones.
 */
export type KeptSequenceNumbers = { key: ListingKey; first: number | undefined };

/** The sequence numbers reserved for this list by a call that died; `first` is undefined without one. */
export const readSequenceNumbers = async (
  { documents, listingTable, retryDelays }: WriterAccess,
  transactions: readonly NewTransaction[],
): Promise<KeptSequenceNumbers> => {
  const key = sequenceNumbersKey(fingerprintOf(transactions));
  const request = consistentGet(listingTable, key);
  const { Item } = await withRetries(() => documents.send(request), retryDelays);
  return { key, first: Item && Number(Item.n) };
};

/** Identifies a list by its uuids and their order. */
const fingerprintOf = (transactions: readonly NewTransaction[]) => {
  const hash = createHash('sha256');
  for (const { transaction } of transactions) hash.update(`${transaction.uuid}\n`);
  return hash.digest('base64url');
};

/** Reserves sequence numbers for the list, and stores them before the first transaction is written. */
export const takeSequenceNumbers = async (
  access: WriterAccess,
  key: ListingKey,
  count: number,
): Promise<number> => {
  const { documents, listingTable, retryDelays } = access;
  const first = await reserveSequenceNumbers(access, count);
  const request = new PutCommand({ TableName: listingTable, Item: { ...key, n: first } });
  await withRetries(() => documents.send(request), retryDelays);
  return first;
};

/** Removes the reservation of a list that is written. */
export const forgetSequenceNumbers = async (
  { documents, listingTable, retryDelays }: WriterAccess,
  key: ListingKey,
): Promise<void> => {
  const request = new DeleteCommand({ TableName: listingTable, Key: key });
  await withRetries(() => documents.send(request), retryDelays);
};
