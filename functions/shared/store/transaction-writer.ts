import type { Outcome } from '../domain/outcome.ts';
import type { StoredTransaction } from '../domain/transaction.ts';

/** A transaction about to be created: everything but its place in the creation order, which the store gives. */
export type NewTransaction = Omit<StoredTransaction, 'position'>;

/** The changes that writes make. Each is one atomic step over the transaction and the listing (listing.md, "Writes"). */
export type TransactionWriter = {
  create: (transaction: NewTransaction) => Promise<Outcome<StoredTransaction, 'uuid-taken'>>;
  /**
   * Replaces `before` by `after` (complete, delete, restore, move, or any other update) on the condition that the stored
   * version is still that of `before`; the listing follows from the difference of the two.
   */
  replace: (
    before: StoredTransaction,
    after: StoredTransaction,
  ) => Promise<Outcome<StoredTransaction, 'changed-meanwhile' | 'not-found'>>;
  /**
   * Creates many in the given order, several sharing one atomic write; a uuid that exists already is left as it is.
   * Answers one outcome per transaction, in order.
   */
  createMany: (
    transactions: readonly NewTransaction[],
  ) => Promise<Outcome<StoredTransaction, 'uuid-taken'>[]>;
};
