import type { ListQuery } from '../domain/query/list-query.ts';
import { pageCountOf } from '../domain/query/parameters.ts';
import { presentTransaction, type Visibility } from '../domain/query/projection.ts';
import type { Selection } from '../domain/query/selection.ts';
import { elementNames, type StoredTransaction } from '../domain/transaction/transaction.ts';
import type { ListPage } from '../store/transactions/list-page.ts';
import { strongTag, weakTag } from './entity-tag.ts';
import { type LinkFacts, linkHeader, pageLinks } from './links.ts';
import { type HandlerResult, problem } from './problem.ts';
import { fittingCount, isTooLarge } from './proxy-result.ts';
import { type HttpResponse, json, type ResponseHeaders } from './response.ts';

/** How a list is shown, and the cursor of its `next` link. */
export type ListView = { href: string; visibleTo: Visibility; nextCursor?: string | undefined };

/** One page of a list: envelope, pagination headers and weak tag (LIST-1). 400 if it is too large (WR-4). */
export const listResponse = (
  page: ListPage,
  query: ListQuery,
  { href, visibleTo, nextCursor }: ListView,
): HandlerResult => {
  const links = pageLinks({ ...linkFacts(page, query, href), nextCursor });
  const meta = metaOf(page.totalCount, query);
  const data = page.transactions.map(({ transaction }) =>
    presentTransaction(transaction, query.selection, visibleTo),
  );
  const response = json(200, { _expand: elementNames.join(','), data, _links: links, _meta: meta });
  if (isTooLarge(response)) return pageTooLarge(fittingCount(response, data));
  return {
    ...response,
    headers: {
      ...response.headers,
      ETag: weakTag(response.body),
      'X-Pagination-Total-Count': String(meta.totalCount),
      'X-Pagination-Page-Count': String(meta.pageCount),
      'X-Pagination-Current-Page': String(meta.currentPage),
      'X-Pagination-Per-Page': String(meta.perPage),
      ...linkHeader(links),
    },
  };
};

/** A page that would not fit one answer, with the largest one that would (ERR-4). */
export const pageTooLarge = (count: number) =>
  problem('answer-too-large', {
    detail: `The answer would be larger than 6 MB. Ask for per-page=${count}, or for fewer fields.`,
  });

const metaOf = (totalCount: number, { request: { page, perPage } }: ListQuery) => ({
  totalCount,
  pageCount: pageCountOf(totalCount, perPage),
  currentPage: page,
  perPage,
});

const linkFacts = (
  { totalCount, hasNext }: ListPage,
  { request: { page, perPage }, parameters }: ListQuery,
  href: string,
): LinkFacts => ({ href, parameters, page, perPage, totalCount, hasNext });

/** One transaction, with its strong tag (COND-1). */
export const transactionResponse = (
  { transaction, version }: Pick<StoredTransaction, 'transaction' | 'version'>,
  selection: Selection,
  { visibleTo, headers, status = 200 }: { visibleTo: Visibility; headers?: ResponseHeaders; status?: number },
): HttpResponse => {
  const response = json(status, presentTransaction(transaction, selection, visibleTo), headers);
  return { ...response, headers: { ...response.headers, ETag: strongTag(version, response.body) } };
};
