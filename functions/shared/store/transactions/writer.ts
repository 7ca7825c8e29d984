import type { Outcome } from '../../domain/outcome.ts';
import type { NewTransaction } from '../../domain/transaction/new-transaction.ts';
import type { StoredTransaction } from '../../domain/transaction/transaction.ts';
import type { IdempotencyRecord } from '../requests/request-store.ts';
import { recountSession } from './session-count.ts';
import {
  type CreateOptions,
  createStored,
  replaceStored,
  reserveSequenceNumbers,
  type WriterDeps,
  withRequests,
  writerAccess,
} from './write.ts';

/**
 * The changes of transactions. Each is one atomic write of the transaction, the listing, and the idempotency record. A
 * record whose id is in force refuses the whole write (WR-1). A change that completes a transaction writes the marker
 * of its completion as well, so that its event cannot be missed.
 */
export type TransactionWriter = {
  create: (
    transaction: NewTransaction,
    more?: CreateOptions,
  ) => Promise<Outcome<StoredTransaction, 'uuid-taken' | 'key-used' | 'session-full'>>;
  /** Sets the count of a session at its limit to its present number of transactions (V1-10). */
  recount: (session: string, counted: { count: number; limit: number }) => Promise<void>;
  /**
   * Replaces `before` with `after` (complete, delete, restore, move, or any other update) on the condition that the
   * stored version is that of `before`. The listing follows from the difference. `perhaps-done` if an answer was lost
   * and others wrote since, so that the outcome of this write stays unknown. Never with a record.
   */
  replace: (
    before: StoredTransaction,
    after: StoredTransaction,
    record?: IdempotencyRecord,
  ) => Promise<Outcome<StoredTransaction, 'changed-meanwhile' | 'perhaps-done' | 'not-found' | 'key-used'>>;
};

/** The writes over DynamoDB. */
export const createTransactionWriter = (deps: WriterDeps): TransactionWriter => {
  const access = writerAccess(deps);
  return {
    create: async (transaction, more) =>
      createStored(access, { ...transaction, sequenceNumber: await reserveSequenceNumbers(access, 1) }, more),
    recount: (session, counted) => recountSession(withRequests(access), session, counted),
    replace: (before, after, record) =>
      replaceStored(access, before, { ...after, sequenceNumber: before.sequenceNumber }, record),
  };
};
