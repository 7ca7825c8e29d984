import type { StoredTransaction } from '../domain/transaction.ts';

/** For exports and back-fills (RUN-4): everything that is listed, deleted ones left out, in creation order (LIST-2). */
export type TransactionWalk = {
  inCreationOrder: () => AsyncIterable<StoredTransaction>;
};
