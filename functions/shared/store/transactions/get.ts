import type { ElementName, StoredTransaction } from '../../domain/transaction/transaction.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { fromItem } from './item.ts';

/** One transaction by its uuid, strongly consistent, including deleted ones. */
export const getTransaction = async (
  { documents, transactionsTable, retryDelays }: TableAccess<'transactionsTable'>,
  uuid: string,
): Promise<StoredTransaction | undefined> => {
  // A key may not be empty or longer than 2,048 bytes, and no transaction has such a uuid.
  if (uuid === '' || Buffer.byteLength(uuid) > 2048) return undefined;
  const request = consistentGet(transactionsTable, { uuid });
  const { Item } = await withRetries(() => documents.send(request), retryDelays);
  return Item && fromItem(Item);
};

/** The existing ones of these transactions, by uuid. */
export const getTransactions = async (
  access: TableAccess<'transactionsTable'>,
  uuids: readonly string[],
): Promise<Map<string, StoredTransaction>> => getMany(access, uuids);

/** A transaction as a list checks and shows it, perhaps without elements that the list does not show. */
export type ListedTransaction = Pick<StoredTransaction, 'transaction' | 'session'>;

/** The same with only these parts, because the others may be large and need not be sent and parsed. */
export const getListed = async (
  access: TableAccess<'transactionsTable'>,
  uuids: readonly string[],
  parts: readonly (ElementName | 'session')[],
): Promise<Map<string, ListedTransaction>> =>
  getMany(access, uuids, [...new Set([...judgedAttributes, ...parts])]);

/** The attributes that scope, deletion and status are checked by, and the own properties. */
const judgedAttributes = ['uuid', 'status', 'isDeleted', 'own', 'ndMeta'] as const;

const getMany = async (
  access: TableAccess<'transactionsTable'>,
  uuids: readonly string[],
  attributes?: readonly string[],
) => {
  const keys = [...new Set(uuids)].map((uuid) => ({ uuid }));
  const read = { table: access.transactionsTable, keys, ...(attributes && { attributes }) };
  const items = await batchGet(access, read);
  return new Map(items.map((item) => [String(item.uuid), fromItem(item)]));
};
