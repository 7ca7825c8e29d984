import type { SessionTokens } from '../shared/auth/session-token.ts';
import { type Outcome, refuse, succeed } from '../shared/domain/outcome.ts';
import type { NdMeta } from '../shared/domain/ownership/owner.ts';
import { idOfOwner } from '../shared/domain/ownership/rollup.ts';
import { isSignedIn, transactionsPerSession } from '../shared/domain/session.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import { fullJitter, type RetryDelays, realRetryDelays } from '../shared/store/dynamodb/retry.ts';
import type { SessionEnds } from '../shared/store/sessions/session-record.ts';
import type { TransactionReader } from '../shared/store/transactions/reader.ts';
import type { TransactionWriter } from '../shared/store/transactions/writer.ts';
import { openCount } from './new-transaction.ts';

export type MoveDeps = {
  tokens: Pick<SessionTokens, 'verify'>;
  sessions: SessionEnds;
  transactions: Pick<TransactionReader, 'byUuid' | 'listWithin'> & Pick<TransactionWriter, 'replace'>;
  clock: Clock;
  /** Delays between tries after a lost race. Defaults to real ones. */
  retryDelays?: RetryDelays;
};

/** The target session of an anonymous session's transactions, and their required owner. */
export type Move = { to: string; owners: readonly NdMeta[] };

/**
 * Moves the transactions of an anonymous session into a signed-in one. The anonymous session ends before the move, so
 * that a stranger who knows its token sees nothing of what follows (S-26). If a move dies, only the same user can
 * finish it. A repeated move finds nothing to do. A user whose session has the maximum of open transactions moves no
 * more (S-41).
 */
export const moveSession = async (
  actorToken: string,
  { to, owners }: Move,
  deps: MoveDeps,
): Promise<Outcome<undefined, 'invalid-token' | 'session-full' | 'contended'>> => {
  const actor = await deps.tokens.verify(actorToken);
  if (!actor.ok || isSignedIn(actor.value.id)) return refuse('invalid-token');
  const from = actor.value.id;
  const earlier = await deps.sessions.endOf(from);
  if (!earlier && !(await isOwnedBy(owners, from, deps))) return refuse('invalid-token');
  if (!earlier && (await openCount(to, deps)) >= transactionsPerSession) return refuse('session-full');
  const end = earlier ?? (await deps.sessions.endBySignIn(from, to, deps.clock()));
  if (end.movedTo !== to) return refuse('invalid-token');
  return moveAll(from, to, deps);
};

const isOwnedBy = async (owners: readonly NdMeta[], session: string, deps: MoveDeps) => {
  const ids = owners.map(idOfOwner);
  const transactions = await transactionsOf(session, deps);
  return transactions.every(({ ndMeta }) => ndMeta !== undefined && ids.includes(idOfOwner(ndMeta)));
};

const moveAll = async (from: string, to: string, deps: MoveDeps) => {
  for (const { uuid } of await transactionsOf(from, deps)) {
    if (!(await moveOne(uuid, { from, to }, deps))) return refuse('contended');
  }
  return succeed(undefined);
};

/** One page holds all transactions that a session can have. */
const transactionsOf = async (session: string, { transactions }: MoveDeps) => {
  const page = await transactions.listWithin({
    ...{
      scope: { kind: 'session', session },
      filter: {},
      page: 1,
      perPage: transactionsPerSession,
      shown: [],
    },
  });
  return page.transactions.map(({ transaction }) => transaction);
};

const maximumTries = 20;

/** Only the session of the transaction changes: its version stays, and no partner is notified. */
const moveOne = async (uuid: string, { from, to }: { from: string; to: string }, deps: MoveDeps) => {
  const { transactions, retryDelays = realRetryDelays } = deps;
  for (let tries = 1; tries <= maximumTries; tries += 1) {
    const stored = await transactions.byUuid(uuid);
    if (stored?.session !== from) return true;
    const moved = await transactions.replace(stored, { ...stored, session: to });
    if (moved.ok || moved.reason === 'not-found') return true;
    await retryDelays.sleep(fullJitter(tries, retryDelays.random));
  }
  return false;
};
