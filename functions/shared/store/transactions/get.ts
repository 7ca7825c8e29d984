import type { StoredTransaction } from '../../domain/transaction/transaction.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { fromItem } from './item.ts';

/** One transaction by its uuid, strongly consistent; deleted ones too. */
export const getTransaction = async (
  { documents, transactionsTable, retryDelays }: TableAccess<'transactionsTable'>,
  uuid: string,
): Promise<StoredTransaction | undefined> => {
  // A key may not be empty, nor longer than 2,048 bytes: no transaction has such a uuid.
  if (uuid === '' || Buffer.byteLength(uuid) > 2048) return undefined;
  const request = consistentGet(transactionsTable, { uuid });
  const { Item } = await withRetries(() => documents.send(request), retryDelays);
  return Item && fromItem(Item);
};

/** The transactions that exist of those asked for, by uuid. */
export const getTransactions = async (
  access: TableAccess<'transactionsTable'>,
  uuids: readonly string[],
): Promise<Map<string, StoredTransaction>> => {
  const keys = [...new Set(uuids)].map((uuid) => ({ uuid }));
  const items = await batchGet(access, { table: access.transactionsTable, keys });
  return new Map(items.map((item) => [String(item.uuid), fromItem(item)]));
};
