import type { StoredTransaction } from '../domain/transaction/transaction.ts';
import { failureOf, wasSentAgain, withRetries } from './dynamodb/retry.ts';
import type { Statement } from './dynamodb/statement.ts';
import { listingChange } from './listing/change.ts';
import { getTransaction } from './transactions/get.ts';
import { listingStatements } from './transactions/statements.ts';
import { atomicWrite, randomShard, type WriterParts } from './transactions/write.ts';

/**
 * Removes a transaction with its listing in one atomic write, on the condition that it is still as it was read (V1-8).
 * Answers whether this removed it: a change in between keeps it, and another sweep may have been quicker.
 */
export const removeStored = async (parts: WriterParts, stored: StoredTransaction): Promise<boolean> => {
  const change = listingChange(stored, undefined, parts.settings, randomShard(parts));
  const write = atomicWrite(parts, [
    { Delete: deleteUnchanged(parts.transactionsTable, stored) },
    ...listingStatements(parts.listingTable, change),
  ]);
  return withRetries(async (perhapsDone) => {
    try {
      await write();
      return true;
    } catch (error) {
      if (failureOf(error) !== 'condition-failed') throw error;
      const isGone = (await getTransaction(parts, stored.transaction.uuid)) === undefined;
      return isGone && (perhapsDone || wasSentAgain(error));
    }
  }, parts.patience);
};

/** The position is unique to a creation: a transaction imported anew under the same uuid is another one. */
const deleteUnchanged = (
  table: string,
  { transaction: { uuid }, version, position }: StoredTransaction,
): Statement['Delete'] => ({
  TableName: table,
  Key: { uuid },
  ConditionExpression: '#version = :version AND #position = :position',
  ExpressionAttributeNames: { '#version': 'version', '#position': 'position' },
  ExpressionAttributeValues: { ':version': version, ':position': position },
});
