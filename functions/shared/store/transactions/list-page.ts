import type { ListRequest } from '../../domain/query/list-request.ts';
import { pageCountOf } from '../../domain/query/parameters.ts';

import type { ListedTransaction } from './get.ts';
import type { TransactionPage, TransactionReader } from './reader.ts';

type Lists = Pick<TransactionReader, 'listWithin'>;

/** One page, and whether another one follows. */
export type ListPage = TransactionPage & { hasNext: boolean };

/** Reads a page of a list. */
export const readListPage = async (lists: Lists, request: ListRequest): Promise<ListPage> => {
  const page = await lists.listWithin(request);
  return { ...page, hasNext: await hasNext(lists, request, page) };
};

/**
 * LINK-1 by number. After a cursor, earlier records may have been deleted or restored, so numbers do not say whether a
 * page follows. Then the next page exists if records follow, and nothing is skipped (LINK-5).
 */
const hasNext = async (lists: Lists, request: ListRequest, { transactions, totalCount }: TransactionPage) => {
  const isBeforeLast = request.page < pageCountOf(totalCount, request.perPage);
  if (request.afterUuid === undefined) return isBeforeLast;
  const last = transactions[request.perPage - 1];
  return last !== undefined && (isBeforeLast || (await isFollowed(lists, request, last)));
};

const isFollowed = async (lists: Lists, request: ListRequest, { transaction }: ListedTransaction) => {
  const behind = await lists.listWithin({ ...request, perPage: 1, afterUuid: transaction.uuid });
  return behind.transactions.length > 0;
};
