import { type RandomBytes, randomText } from '../shared/auth/random-text.ts';
import type { SessionTokens } from '../shared/auth/session-token.ts';
import { newTransaction } from '../shared/domain/new-transaction.ts';
import type { Outcome } from '../shared/domain/outcome.ts';
import { decideOwnership, type OwnershipClaim, type OwnershipRefusal } from '../shared/domain/ownership.ts';
import type { Sight } from '../shared/domain/projection.ts';
import type { Selection } from '../shared/domain/selection.ts';
import type { NdMeta, StoredTransaction } from '../shared/domain/transaction.ts';
import { makeTransactionUuid } from '../shared/domain/transaction-uuid.ts';
import { type Answer, noContent, type Written } from '../shared/http/answer.ts';
import { type Problem, problem } from '../shared/http/problem.ts';
import { transactionAnswer } from '../shared/http/transaction-answer.ts';
import { type SessionEvent, tokenHeaders } from '../shared/middleware/authenticate-session.ts';
import type { OriginEvent } from '../shared/middleware/cors.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { EstateStore } from '../shared/store/estate-store.ts';
import type { TransactionReader } from '../shared/store/transaction-reader.ts';
import type { TransactionWriter } from '../shared/store/transaction-writer.ts';
import { mayCreate, type Question } from './request.ts';

export type CreationDeps = {
  transactions: Pick<TransactionReader, 'newestIncomplete'> & Pick<TransactionWriter, 'create'>;
  estate: Pick<EstateStore, 'stageDefault'>;
  tokens: Pick<SessionTokens, 'issue'>;
  clock: Clock;
  random: RandomBytes;
};

/** A checkout's request, with its session and the storefronts of its origin. */
export type CheckoutEvent = SessionEvent & OriginEvent;

/** No V1 caller is shown the token of a payment (SHOW-1). */
export const sight: Sight = { showsPaymentTokens: false };

/** The session's newest incomplete transaction, or a new one (V1-1). */
export const getOrCreate = async (
  event: CheckoutEvent,
  { session, claim, selection }: Extract<Question, { asks: 'newest-or-new' }>,
  deps: CreationDeps,
): Promise<Answer> => {
  const newest = session && (await deps.transactions.newestIncomplete(session));
  if (newest) return transactionAnswer(newest, selection, { sight });
  const owner = await ownerOf(event, claim, deps);
  if (!owner.ok) return ownershipProblem(owner.reason);
  if (!mayCreate(event)) return nothingCreated(event);
  if (session === undefined) return firstAnswer(owner.value, selection, deps);
  return transactionAnswer(await create(session, owner.value, deps), selection, { sight });
};

const ownerOf = async (
  { storefronts }: OriginEvent,
  claim: OwnershipClaim,
  { estate }: CreationDeps,
): Promise<Outcome<NdMeta, OwnershipRefusal>> => {
  const stageDefault = storefronts.length === 0 ? await estate.stageDefault() : undefined;
  return decideOwnership(claim, { ofOrigin: storefronts, stageDefault });
};

/** OWN-1. The ambiguous case is the caller's to mend, so it is told which parameter is missing. */
const ownershipProblem = (reason: OwnershipRefusal): Problem => {
  switch (reason) {
    case 'no-storefront':
      return problem('forbidden', { detail: 'No storefront for this origin and location is registered.' });
    case 'several-franchises':
      return problem('invalid-parameters', {
        errors: [{ field: 'franchise', message: 'The location has several franchises; name one.' }],
      });
    default:
      return reason satisfies never;
  }
};

/** What GET would have created stays unmade: HEAD has the status of GET, a prefetch has nothing to keep (V1-4). */
const nothingCreated = ({ httpMethod }: CheckoutEvent): Written => ({
  ...noContent({ 'Cache-Control': 'no-store' }),
  ...(httpMethod === 'HEAD' && { status: 200 }),
});

/** The first answer of a session: 26 letters and digits are 154 random bits (S-24). */
const firstAnswer = async (owner: NdMeta, selection: Selection, deps: CreationDeps): Promise<Answer> => {
  const session = randomText(deps.random, 26);
  const created = await create(session, owner, deps);
  return transactionAnswer(created, selection, {
    sight,
    headers: tokenHeaders(await deps.tokens.issue(session)),
  });
};

const create = async (
  session: string,
  owner: NdMeta,
  { transactions, clock, random }: CreationDeps,
): Promise<StoredTransaction> => {
  const uuid = makeTransactionUuid(random(16));
  const created = await transactions.create(newTransaction({ uuid, owner, session, now: clock() }));
  if (!created.ok) throw new Error('A new random uuid was taken');
  return created.value;
};
