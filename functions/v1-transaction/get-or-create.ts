import type { SessionTokens } from '../shared/auth/session-token.ts';
import type { NdMeta } from '../shared/domain/ownership/owner.ts';
import type { Selection } from '../shared/domain/query/selection.ts';
import { isSignedIn, transactionsPerSession } from '../shared/domain/session.ts';
import { transactionResponse } from '../shared/http/list-response.ts';
import type { HandlerResult } from '../shared/http/problem.ts';
import { ownershipProblem } from '../shared/http/request-problems.ts';
import { type HttpResponse, noContent } from '../shared/http/response.ts';
import { tokenHeaders } from '../shared/middleware/authenticate-session.ts';
import type { TransactionReader } from '../shared/store/transactions/reader.ts';
import { creationRefusal, isMeant, userFull } from './creation.ts';
import {
  type NewTransactionDeps,
  newSession,
  noStorefront,
  type OwnerDeps,
  ownerOf,
  storeNew,
  untouchedTransaction,
  visibleToSession,
} from './new-transaction.ts';
import type { CheckoutRead } from './request.ts';
import type { CheckoutEvent } from './route.ts';

export type GetOrCreateDeps = OwnerDeps &
  NewTransactionDeps & {
    transactions: Pick<TransactionReader, 'newestIncomplete'>;
    tokens: Pick<SessionTokens, 'issue'>;
  };

/** The session's newest incomplete transaction, or a new one (V1-1). */
export const getOrCreate = async (
  event: CheckoutEvent,
  { session, claim, selection }: Extract<CheckoutRead, { asks: 'newest-or-new' }>,
  deps: GetOrCreateDeps,
): Promise<HandlerResult> => {
  const newest = session && (await deps.transactions.newestIncomplete(session));
  if (newest) return transactionResponse(newest, selection, { visibleTo: visibleToSession });
  const refusal = creationRefusal(event);
  if (refusal) return refusal;
  const owner = await ownerOf(event, claim, deps);
  if (!owner.ok) return ownershipProblem(owner.reason, { claim, detail: noStorefront });
  if (!isMeant(event)) return nothingCreated(event);
  const further =
    session === undefined ? undefined : await furtherResponse(session, owner.value, selection, deps);
  return further ?? firstResponse(event, { owner: owner.value, selection }, deps);
};

/** HEAD and a prefetch create nothing: HEAD has the status of GET, and a prefetch gets no content (V1-4). */
const nothingCreated = ({ httpMethod }: CheckoutEvent): HttpResponse => ({
  ...noContent({ 'Cache-Control': 'no-store' }),
  ...(httpMethod === 'HEAD' && { status: 200 }),
});

/** The first response of a session has its token (V1-5), even if the previous session was full. */
const firstResponse = async (
  event: CheckoutEvent,
  { owner, selection }: { owner: NdMeta; selection: Selection },
  deps: GetOrCreateDeps,
): Promise<HandlerResult> => {
  const session = newSession(deps);
  const created = await storeNew(deps, untouchedTransaction(session, owner, deps));
  if (!created.ok) throw new Error('A new random uuid was taken');
  event.responseHeaders = { ...event.responseHeaders, ...tokenHeaders(await deps.tokens.issue(session)) };
  return transactionResponse(created.value, selection, { visibleTo: visibleToSession });
};

/** Undefined if an anonymous session is full: a retry would not help, and its page needs nothing else (V1-1). */
const furtherResponse = async (
  session: string,
  owner: NdMeta,
  selection: Selection,
  deps: GetOrCreateDeps,
): Promise<HandlerResult | undefined> => {
  const created = await storeNew(deps, untouchedTransaction(session, owner, deps), {
    sessionLimit: transactionsPerSession,
  });
  if (created.ok) return transactionResponse(created.value, selection, { visibleTo: visibleToSession });
  if (created.reason === 'session-full') return isSignedIn(session) ? userFull() : undefined;
  throw new Error('A new random uuid was taken');
};
