import { belongsTo } from '../shared/domain/session.ts';
import { isTransactionUuid } from '../shared/domain/transaction/transaction-uuid.ts';
import { listResponse, transactionResponse } from '../shared/http/list-response.ts';
import type { HandlerResult } from '../shared/http/problem.ts';
import { invalidCredentials, notFound } from '../shared/http/problem.ts';
import { queryProblem } from '../shared/http/request-problems.ts';
import { readListPage } from '../shared/store/transactions/list-page.ts';
import type { TransactionReader } from '../shared/store/transactions/reader.ts';
import { type CreateDeps, create } from './create.ts';
import { type CreationDeps, getOrCreate } from './get-or-create.ts';
import { visibleToSession } from './new-transaction.ts';
import { type Question, readQuestion } from './request.ts';
import type { CheckoutEvent } from './route.ts';
import { type UpdateDeps, update } from './update.ts';

export type CheckoutDeps = CreationDeps &
  CreateDeps &
  UpdateDeps & {
    transactions: Pick<TransactionReader, 'byUuid' | 'listWithin'>;
    /** The public base of the stage, which hrefs begin with (LINK-2). */
    baseUrl: string;
  };

/** The story of a V1 request: a write, or a read, of the caller's own session. */
export const createHandler =
  (deps: CheckoutDeps) =>
  async (event: CheckoutEvent): Promise<HandlerResult> => {
    const { route, httpMethod } = event;
    if (httpMethod === 'GET' || httpMethod === 'HEAD') return read(event, deps);
    return route.name === 'all' ? create(event, deps) : update(event, route.uuid, deps);
  };

/** What is asked, as an answer. */
const read = async (event: CheckoutEvent, deps: CheckoutDeps): Promise<HandlerResult> => {
  const question = readQuestion(event);
  switch (question.asks) {
    case 'not-found':
      return notFound();
    case 'unauthorised':
      return invalidCredentials({ tokenPresented: false });
    case 'faulty':
      return queryProblem(question.fault);
    case 'list':
      return list(question, deps);
    case 'one':
      return one(question, deps);
    case 'newest-or-new':
      return getOrCreate(event, question, deps);
    default:
      return question satisfies never;
  }
};

type Asking<Kind extends Question['asks']> = Extract<Question, { asks: Kind }>;

/** V1-3. */
const list = async (
  { query }: Asking<'list'>,
  { transactions, baseUrl }: CheckoutDeps,
): Promise<HandlerResult> => {
  const page = await readListPage(transactions, query.request);
  return listResponse(page, query, { href: `${baseUrl}/transaction`, visibleTo: visibleToSession });
};

/** Malformed, unknown, deleted and another session's are the same 404 (V1-2). */
const one = async (
  { session, uuid = '', selection }: Asking<'one'>,
  { transactions }: CheckoutDeps,
): Promise<HandlerResult> => {
  if (!isTransactionUuid(uuid)) return notFound();
  const stored = await transactions.byUuid(uuid);
  if (!stored || !belongsTo(session, stored)) return notFound();
  return transactionResponse(stored, selection, { visibleTo: visibleToSession });
};
