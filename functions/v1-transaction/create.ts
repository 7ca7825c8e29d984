import type { SessionTokens } from '../shared/auth/session-token.ts';
import { readWriteQuery } from '../shared/domain/query/list-query.ts';
import { selectionTextOf } from '../shared/domain/query/selection.ts';
import { belongsTo, isSignedIn, transactionsPerSession } from '../shared/domain/session.ts';
import type { TransactionChange } from '../shared/domain/transaction/change.ts';
import type { NewTransaction } from '../shared/domain/transaction/new-transaction.ts';
import { withEntries } from '../shared/domain/transaction/next-state.ts';
import { sizeFault } from '../shared/domain/transaction/size.ts';
import { type Command, readCommand, recordOf, replay, shownBy } from '../shared/http/idempotency.ts';
import { type HandlerResult, notFound, problem } from '../shared/http/problem.ts';
import { ownershipProblem, queryProblem, tooLarge } from '../shared/http/request-problems.ts';
import type { HttpResponse } from '../shared/http/response.ts';
import { readNewTransaction } from '../shared/http/write-body.ts';
import { tokenHeaders } from '../shared/middleware/authenticate-session.ts';
import type { RequestStore } from '../shared/store/requests/request-store.ts';
import type { TransactionReader } from '../shared/store/transactions/reader.ts';
import { creationRefusal, isMeant, neverAhead, userFull } from './creation.ts';
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
import type { CheckoutEvent } from './route.ts';

export type CreateDeps = OwnerDeps &
  NewTransactionDeps & {
    transactions: Pick<TransactionReader, 'byUuid'>;
    requests: RequestStore;
    tokens: Pick<SessionTokens, 'issue'>;
    baseUrl: string;
  };

/** A checkout creates a transaction with what was entered so far, in its session or in a new one (V1-6). */
export const create = async (event: CheckoutEvent, deps: CreateDeps): Promise<HandlerResult> => {
  const selection = readWriteQuery(event.multiValueQueryStringParameters);
  if (!selection.ok) return queryProblem(selection);
  const body = readNewTransaction(event);
  if (!body.ok) return body.problem;
  const command = commandOf(event, body.value.bytes);
  if (!command.ok) return command.problem;
  const replayed = await replayFor(event, command.value, deps);
  if (replayed) return replayed;
  const made = await newTransactionOf(event, body.value.change, deps);
  if ('problem' in made) return made;
  return store(made, { event, command: command.value }, deps);
};

/** The key of a first anonymous call is ignored, because there is no session yet that it could belong to (WR-1). */
const commandOf = (event: CheckoutEvent, bytes: Buffer) => {
  if (!event.session) return { ok: true, value: undefined } as const;
  const caller = { kind: 'session', id: event.session.id } as const;
  return readCommand(event, { caller, route: 'transaction', bytes });
};

/** A transaction that was deleted since is not shown by the replay of its creation (DEL-1). */
const replayFor = async (
  { session }: CheckoutEvent,
  command: Command | undefined,
  { requests, transactions, clock }: CreateDeps,
) => {
  const record = command && (await requests.find(command.id, clock()));
  if (!command || !record || !session) return undefined;
  const stored = await transactions.byUuid(record.uuid);
  if (!stored || !belongsTo(session.id, stored)) return notFound();
  return replay(command, record, (view) => shownBy(view, stored, visibleToSession));
};

const newTransactionOf = async (event: CheckoutEvent, change: TransactionChange, deps: CreateDeps) => {
  const refusal = creationRefusal(event);
  if (refusal) return refusal;
  if (!isMeant(event)) return neverAhead();
  const owner = await ownerOf(event, change.claim, deps);
  if (!owner.ok) return ownershipProblem(owner.reason, { claim: change.claim, detail: noStorefront });
  const session = event.session?.id ?? newSession(deps);
  const made = withEntries(untouchedTransaction(session, owner.value, deps), change);
  const fault = sizeFault(made.transaction, undefined, 'session');
  return fault ? tooLarge(fault) : made;
};

type Creating = { event: CheckoutEvent; command: Command | undefined };

const store = async (
  made: NewTransaction,
  { event, command }: Creating,
  deps: CreateDeps,
): Promise<HandlerResult> => {
  const { uuid } = made.transaction;
  const view = {
    status: 201,
    headers: { Location: `${deps.baseUrl}/transaction/${uuid}` },
    selection: selectionTextOf(event.multiValueQueryStringParameters),
  };
  const record = command && recordOf(command, view, { uuid, now: deps.clock() });
  const created = await storeNew(deps, made, {
    ...(record && { record }),
    ...(event.session && { sessionLimit: transactionsPerSession }),
  });
  if (created.ok) {
    const response = shownBy(view, made, visibleToSession);
    return event.session ? response : withToken(response, await deps.tokens.issue(made.session ?? ''));
  }
  if (created.reason === 'session-full')
    return isSignedIn(made.session ?? '') ? userFull() : problem('session-full');
  const replayed = created.reason === 'key-used' ? await replayFor(event, command, deps) : undefined;
  if (!replayed) throw new Error(`A new transaction was refused: ${created.reason}`);
  return replayed;
};

/** The first response of a session has its token (V1-5). */
const withToken = (response: HttpResponse, token: string): HttpResponse => ({
  ...response,
  headers: { ...response.headers, ...tokenHeaders(token) },
});
