import { belongsTo } from '../shared/domain/session.ts';
import { isTransactionUuid } from '../shared/domain/transaction/transaction-uuid.ts';
import { cursorSealOf, type SealDeps } from '../shared/http/cursor-seal.ts';
import { answerList } from '../shared/http/list-answer.ts';
import { transactionResponse } from '../shared/http/list-response.ts';
import { type HandlerResult, invalidCredentials, notFound } from '../shared/http/problem.ts';
import { queryProblem } from '../shared/http/request-problems.ts';
import { sessionCursors } from '../shared/store/requests/cursor-keys.ts';
import type { TransactionReader } from '../shared/store/transactions/reader.ts';
import { type CreateDeps, create } from './create.ts';
import { type GetOrCreateDeps, getOrCreate } from './get-or-create.ts';
import { visibleToSession } from './new-transaction.ts';
import { type CheckoutRead, checkoutReadOf } from './request.ts';
import type { CheckoutEvent } from './route.ts';
import { type SignInDeps, signIn } from './sign-in.ts';
import { type UpdateDeps, update } from './update.ts';

export type CheckoutDeps = GetOrCreateDeps &
  CreateDeps &
  UpdateDeps &
  SignInDeps &
  SealDeps & {
    transactions: Pick<TransactionReader, 'byUuid' | 'listWithin'>;
    /** The public base of the stage, with which hrefs begin (LINK-2). */
    baseUrl: string;
  };

/** A V1 request: a write or read of the caller's own session, or a sign-in. */
export const createHandler =
  (deps: CheckoutDeps) =>
  async (event: CheckoutEvent): Promise<HandlerResult> => {
    const { route, httpMethod } = event;
    if (route.name === 'session') return signIn(event, deps);
    if (httpMethod === 'GET' || httpMethod === 'HEAD') return read(event, deps);
    return route.name === 'all' ? create(event, deps) : update(event, route.uuid, deps);
  };

const read = async (event: CheckoutEvent, deps: CheckoutDeps): Promise<HandlerResult> => {
  const asked = checkoutReadOf(event);
  switch (asked.asks) {
    case 'not-found':
      return notFound();
    case 'unauthorised':
      return invalidCredentials({ tokenPresented: false });
    case 'faulty':
      return queryProblem(asked.fault);
    case 'list':
      return list(asked, deps);
    case 'one':
      return one(asked, deps);
    case 'newest-or-new':
      return getOrCreate(event, asked, deps);
    default:
      return asked satisfies never;
  }
};

type Asking<Kind extends CheckoutRead['asks']> = Extract<CheckoutRead, { asks: Kind }>;

const list = (
  { query }: Asking<'list'>,
  { transactions, baseUrl, ...deps }: CheckoutDeps,
): Promise<HandlerResult> => {
  const seal = cursorSealOf(sessionCursors, deps);
  return answerList(query, {
    ...{ transactions, seal, href: `${baseUrl}/transaction`, visibleTo: visibleToSession },
  });
};

/** A malformed, unknown or deleted transaction and one of another session get the same 404 (V1-2). */
const one = async (
  { session, uuid = '', selection }: Asking<'one'>,
  { transactions }: CheckoutDeps,
): Promise<HandlerResult> => {
  if (!isTransactionUuid(uuid)) return notFound();
  const stored = await transactions.byUuid(uuid);
  if (!stored || !belongsTo(session, stored)) return notFound();
  return transactionResponse(stored, selection, { visibleTo: visibleToSession });
};
