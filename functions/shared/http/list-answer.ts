import type { ListQuery } from '../domain/query/list-query.ts';
import type { ListRequest } from '../domain/query/list-request.ts';
import { cursorFacts } from '../domain/query/page-cursor.ts';
import { lastValue } from '../domain/query/parameters.ts';
import { type ListPage, readListPage } from '../store/transactions/list-page.ts';
import type { TransactionReader } from '../store/transactions/reader.ts';
import type { CursorSeal } from './cursor-seal.ts';
import { type ListView, listResponse } from './list-response.ts';
import type { HandlerResult } from './problem.ts';

/** What a list is read from, and how it is shown; `seal` is the caller's. */
export type ListSource = Pick<ListView, 'href' | 'visibleTo'> & {
  transactions: Pick<TransactionReader, 'listWithin'>;
  seal: CursorSeal;
};

/** Reads a list as asked for, behind the cursor where it fits, and answers it with that of the next page (LINK-5). */
export const answerList = async (
  query: ListQuery,
  { transactions, seal, ...view }: ListSource,
): Promise<HandlerResult> => {
  const request = await behindCursor(query, seal);
  const page = await readListPage(transactions, request);
  return listResponse(page, query, { ...view, nextCursor: await cursorBehind(page, request, seal) });
};

/** A cursor that does not fit is ignored: then the page number counts. */
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
