import type { ListRequest } from '../domain/list-request.ts';
import type { StoredTransaction } from '../domain/transaction.ts';

export type TransactionPage = { transactions: StoredTransaction[]; totalCount: number };

/** The questions that reads ask of the store. All answers are strongly consistent. */
export type TransactionReader = {
  /** By its uuid, deleted ones too: the caller decides visibility with `covers` and `isDeleted`. */
  byUuid: (uuid: string) => Promise<StoredTransaction | undefined>;
  /** One page within a scope, with the exact total (PAGE-4); deleted transactions are in no list (DEL-1). */
  listWithin: (request: ListRequest) => Promise<TransactionPage>;
  /** The session's newest incomplete transaction that is not deleted (V1-1). */
  newestIncomplete: (session: string) => Promise<StoredTransaction | undefined>;
};
