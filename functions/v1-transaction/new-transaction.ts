import type { Outcome } from '../shared/domain/outcome.ts';
import type { NdMeta } from '../shared/domain/ownership/owner.ts';
import {
  decideOwnership,
  type OwnershipClaim,
  type OwnershipFacts,
  type OwnershipRefusal,
} from '../shared/domain/ownership/ownership.ts';
import type { Visibility } from '../shared/domain/query/projection.ts';
import { isSignedIn } from '../shared/domain/session.ts';
import { newTransaction } from '../shared/domain/transaction/new-transaction.ts';
import { makeTransactionUuid } from '../shared/domain/transaction/transaction-uuid.ts';
import type { OriginEvent } from '../shared/middleware/cors.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { CheckoutLog } from '../shared/runtime/logger.ts';
import { type RandomBytes, randomText } from '../shared/runtime/random-text.ts';
import type { StorefrontReader } from '../shared/store/storefronts/reader.ts';
import type { TransactionReader } from '../shared/store/transactions/reader.ts';
import type { TransactionWriter } from '../shared/store/transactions/writer.ts';

export type OwnerDeps = { storefronts: Pick<StorefrontReader, 'stageDefault'> };
export type NewTransactionDeps = {
  clock: Clock;
  random: RandomBytes;
  log: CheckoutLog;
  transactions: Pick<TransactionWriter, 'create' | 'recount'> & Pick<TransactionReader, 'listWithin'>;
};

/** The owner of the request's transaction, by its origin and its claim (OWN-1). */
export const ownerOf = async (
  event: Pick<OriginEvent, 'storefronts'>,
  claim: OwnershipClaim,
  deps: OwnerDeps,
): Promise<Outcome<NdMeta, OwnershipRefusal>> => decideOwnership(claim, await ownershipFacts(event, deps));

/** The storefronts of the request's origin, or the stage's default. */
export const ownershipFacts = async (
  { storefronts: ofOrigin }: Pick<OriginEvent, 'storefronts'>,
  { storefronts }: OwnerDeps,
): Promise<OwnershipFacts> => ({
  ofOrigin,
  stageDefault: ofOrigin.length === 0 ? await storefronts.stageDefault() : undefined,
});

/** The refusal of a caller without a storefront. */
export const noStorefront = 'No storefront for this origin and location is registered.';

/** A session id: 26 letters and digits are 154 random bits (S-24). */
export const newSession = ({ random }: Pick<NewTransactionDeps, 'random'>): string => randomText(random, 26);

/** A transaction of this session without any content (V1-1). */
export const untouchedTransaction = (
  session: string,
  owner: NdMeta,
  { clock, random }: Pick<NewTransactionDeps, 'clock' | 'random'>,
) => newTransaction({ uuid: makeTransactionUuid(random(16)), owner, session, now: clock() });

/** Stores a new transaction, and logs a line that an alarm counts (S-79). */
export const storeNew = async (
  { transactions, log }: Pick<NewTransactionDeps, 'transactions' | 'log'>,
  ...made: Parameters<TransactionWriter['create']>
) => {
  const created = await createWhereRoom(transactions, ...made);
  if (created.ok) log('transactionCreated', {});
  return created;
};

/** A signed-in user may come back for years, so only the open transactions of the session count (V1-10). */
const createWhereRoom = async (
  transactions: NewTransactionDeps['transactions'],
  ...made: Parameters<TransactionWriter['create']>
) => {
  const [{ session = '' }, { sessionLimit: limit = 0 } = {}] = made;
  const created = await transactions.create(...made);
  if (created.ok || created.reason !== 'session-full' || !isSignedIn(session)) return created;
  await transactions.recount(session, { count: await openCount(session, { transactions }), limit });
  return transactions.create(...made);
};

/** The number of transactions of a session that are neither complete nor deleted. */
export const openCount = async (
  session: string,
  { transactions }: { transactions: Pick<TransactionReader, 'listWithin'> },
): Promise<number> => {
  const { totalCount } = await transactions.listWithin({
    ...{ scope: { kind: 'session', session }, filter: { status: 0 }, page: 1, perPage: 1, shown: [] },
  });
  return totalCount;
};

/** V1 never shows the token of a payment (SHOW-1). */
export const visibleToSession: Visibility = { showsPaymentTokens: false };
