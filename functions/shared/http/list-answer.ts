import type { ListQuery } from '../domain/query/list-query.ts';
import type { ListRequest } from '../domain/query/list-request.ts';
import { cursorFacts } from '../domain/query/page-cursor.ts';
import { lastValue } from '../domain/query/parameters.ts';
import { type ListPage, readListPage } from '../store/transactions/list-page.ts';
import type { TransactionReader } from '../store/transactions/reader.ts';
import type { CursorSeal } from './cursor-seal.ts';
import { type ListView, listResponse } from './list-response.ts';
import type { HandlerResult } from './problem.ts';

/** The store of a list, and how it is shown. `seal` is that of the caller. */
export type ListSource = Pick<ListView, 'href' | 'visibleTo'> & {
  transactions: Pick<TransactionReader, 'listWithin'>;
  seal: CursorSeal;
};

/**
 * Reads the requested page, after the cursor if it is valid, and answers it with the cursor of the next page (LINK-5).
 */
export const answerList = async (
  query: ListQuery,
  { transactions, seal, ...view }: ListSource,
): Promise<HandlerResult> => {
  const request = await behindCursor(query, seal);
  const page = await readListPage(transactions, request);
  return listResponse(page, query, { ...view, nextCursor: await cursorBehind(page, request, seal) });
};

/** An invalid cursor is ignored, and the page number counts. */
const behindCursor = async ({ request, parameters }: ListQuery, seal: CursorSeal): Promise<ListRequest> => {
  const cursor = lastValue(parameters, 'after');
  const afterUuid = cursor === undefined ? undefined : await seal.open(cursor, cursorFacts(request));
  return afterUuid === undefined ? request : { ...request, afterUuid };
};

const cursorBehind = async ({ transactions, hasNext }: ListPage, request: ListRequest, seal: CursorSeal) => {
  const last = transactions.at(-1)?.transaction.uuid;
  if (!hasNext || last === undefined) return undefined;
  return seal.close(last, cursorFacts({ ...request, page: request.page + 1 }));
};
