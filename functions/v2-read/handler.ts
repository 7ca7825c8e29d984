import { covers } from '../shared/domain/ownership/grant.ts';
import type { Partner } from '../shared/domain/partner.ts';
import { readListQuery, readSingleQuery } from '../shared/domain/query/list-query.ts';
import { cursorSealOf, type SealDeps } from '../shared/http/cursor-seal.ts';
import { answerList } from '../shared/http/list-answer.ts';
import { transactionResponse } from '../shared/http/list-response.ts';
import { type HandlerResult, notFound } from '../shared/http/problem.ts';
import { queryProblem } from '../shared/http/request-problems.ts';
import type { RoutedEvent } from '../shared/middleware/find-route.ts';
import type { TransactionReader } from '../shared/store/transactions/reader.ts';
import type { ReadRoute } from './route.ts';

export type ReadDeps = SealDeps & {
  transactions: Pick<TransactionReader, 'byUuid' | 'listWithin'>;
  /** The public base of the stage, with which hrefs begin (LINK-2). */
  baseUrl: string;
};

/** A routed request of a known partner. */
export type ReadEvent = RoutedEvent<ReadRoute> & { partner: Partner };

/** A V2 read of what the request asks for, within the partner's scope. */
export const createHandler =
  (deps: ReadDeps) =>
  async (event: ReadEvent): Promise<HandlerResult> => {
    const { route } = event;
    switch (route.name) {
      case 'list':
        return list(event, deps);
      case 'transaction':
        return single(event, route.uuid, deps);
      default:
        return route satisfies never;
    }
  };

const list = async (
  { partner, multiValueQueryStringParameters: parameters }: ReadEvent,
  { transactions, baseUrl, ...deps }: ReadDeps,
): Promise<HandlerResult> => {
  const query = readListQuery(parameters, { kind: 'grants', grants: partner.grants });
  if (!query.ok) return queryProblem(query);
  const seal = cursorSealOf(partner.clientId, deps);
  return answerList(query.value, {
    ...{ transactions, seal, href: `${baseUrl}/v2/transaction`, visibleTo: partner },
  });
};

/** An unknown or deleted transaction and one out of scope get the same 404 (V2-1). */
const single = async (
  { partner, multiValueQueryStringParameters }: ReadEvent,
  uuid: string,
  { transactions }: ReadDeps,
): Promise<HandlerResult> => {
  const selection = readSingleQuery(multiValueQueryStringParameters);
  if (!selection.ok) return queryProblem(selection);
  const stored = await transactions.byUuid(uuid);
  if (!stored || stored.transaction.isDeleted === 1) return notFound();
  if (!covers(partner.grants, stored.transaction.ndMeta)) return notFound();
  return transactionResponse(stored, selection.value, { visibleTo: partner });
};
