import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { chunksOf } from '../../../functions/shared/runtime/chunks.ts';
import { toItem } from '../../../functions/shared/store/transactions/item.ts';
import { aNewTransaction, anOwner, uuidOf } from '../builders/transactions.ts';
import { clientOf, documentsOf } from '../engine/engine.ts';
import type { TestStage } from './stage.ts';

/** Transactions of one group that were created with a customer at one instant. */
export type Together = {
  /** The number of the first one's uuid; the others follow. */
  first: number;
  count: number;
  group: string;
  /** When all of them are due, and so later than the stream needs to schedule them. */
  dueAtMs: number;
  dormancyMs: number;
};

/** Makes as many events due in one moment. Writes items directly and leaves out the listing, which no event needs. */
export const makeDueTogether = async ({ stack }: TestStage, together: Together): Promise<string[]> => {
  const client = clientOf(stack.operator.endpoints.dynamodb);
  const { TRANSACTIONS_TABLE = '' } = stack.operator.variables;
  const transactions = transactionsOf(together);
  for (const chunk of chunksOf(transactions, 25)) {
    const puts = chunk.map((stored) => ({ PutRequest: { Item: toItem(stored) } }));
    await documentsOf(client).send(new BatchWriteCommand({ RequestItems: { [TRANSACTIONS_TABLE]: puts } }));
  }
  client.destroy();
  return transactions.map(({ transaction }) => transaction.uuid);
};

const transactionsOf = ({ first, count, group, dueAtMs, dormancyMs }: Together): StoredTransaction[] => {
  const updatedAtMs = dueAtMs - dormancyMs;
  return Array.from({ length: count }, (_, index) => ({
    ...aNewTransaction(
      { uuid: uuidOf(first + index), ndMeta: anOwner({ group }), customer: { firstName: 'Ann' } },
      { createdAtMs: updatedAtMs, updatedAtMs },
    ),
    elementVersions: { ...aNewTransaction().elementVersions, customer: 1 },
    sequenceNumber: first + 10_000 + index,
  }));
};
