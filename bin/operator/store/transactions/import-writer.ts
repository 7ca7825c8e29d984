import type { Outcome } from '../../../../functions/shared/domain/outcome.ts';
import type { NewTransaction } from '../../../../functions/shared/domain/transaction/new-transaction.ts';
import type { StoredTransaction } from '../../../../functions/shared/domain/transaction/transaction.ts';
import { type WriterDeps, writerAccess } from '../../../../functions/shared/store/transactions/write.ts';
import {
  createTransactionWriter,
  type TransactionWriter,
} from '../../../../functions/shared/store/transactions/writer.ts';
import { createMany } from './create-many.ts';

/** The writes of the functions, and that of an import. */
export type ImportWriter = TransactionWriter & {
  /**
   * Creates many in the given order, several in one atomic write; a uuid that exists is refused. Returns an outcome for each
   * transaction, in order.
   */
  createMany: (
    transactions: readonly NewTransaction[],
  ) => Promise<Outcome<StoredTransaction, 'uuid-taken'>[]>;
};

export const createImportWriter = (deps: WriterDeps): ImportWriter => {
  const access = writerAccess(deps);
  return {
    ...createTransactionWriter(deps),
    createMany: (transactions) => createMany(access, transactions),
  };
};
