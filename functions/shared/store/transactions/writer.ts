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
 * The changes that writes make. Each is one atomic step over the transaction and the listing, and over the idempotency
 * record that comes with it: a record whose id is in force refuses the whole step (WR-1). A change that completes a
 * transaction leaves the marker of its completion in the same step, so that the event cannot be missed.
 */
export type TransactionWriter = {
  create: (
    transaction: NewTransaction,
    more?: CreateOptions,
  ) => Promise<Outcome<StoredTransaction, 'uuid-taken' | 'key-used' | 'session-full'>>;
  /** Sets the count of a session that has reached the limit to what it has now (V1-10). */
  recount: (session: string, counted: { count: number; limit: number }) => Promise<void>;
  /**
   * Replaces `before` by `after` (complete, delete, restore, move, or any other update) on the condition that the stored
   * version is still that of `before`; the listing follows from the difference of the two. `perhaps-done` when an answer was
   * lost and others wrote since, so that it stays unknown whether this write was done; never with a record.
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
