import type { StoredTransaction } from './transaction/transaction.ts';

/** 30 days, as long as an untouched transaction lives (V1-8). */
export const sessionLifetimeSeconds = 30 * 24 * 60 * 60;

/** A session as its token states it; `beganAt` is when the first token of the chain was issued. */
export type Session = { id: string; beganAt: Date; issuedAt: Date; expiresAt: Date };

/** However often its token is issued again, a session ends after 90 days: nobody can keep a stolen one for ever (V1-5). */
export const chainLifetimeMs = 90 * 24 * 60 * 60 * 1000;

/** A buyer needs a handful. Who wants more has to begin a new session, which the gateway's throttle bounds (S-40, S-41). */
export const transactionsPerSession = 20;

export const chainEndsAt = ({ beganAt }: Pick<Session, 'beganAt'>) =>
  new Date(beganAt.getTime() + chainLifetimeMs);

/**
 * A token is issued again only in its last half (V1-5), so that tokens do not pile up, and only where the new one would
 * end later.
 */
export const isToBeReissued = (session: Session, now: Date) => {
  const { issuedAt, expiresAt } = session;
  const isInLastHalf = now.getTime() >= (issuedAt.getTime() + expiresAt.getTime()) / 2;
  return isInLastHalf && expiresAt < chainEndsAt(session);
};

/** Why a session ended before its tokens expired: by the operator, or because its user signed in (V1-9, V1-10). */
export type SessionEnd = {
  endedAtMs: number;
  /** The signed-in session that its transactions move to. */
  movedTo?: string;
};

/** Begins the id of a session that belongs to a signed-in user; ids of anonymous sessions hold letters and digits only. */
const signedInPrefix = 'user-';

/** The id of the session of an identity provider's user, by a digest of both (V1-10). */
export const signedInSessionId = (digest: string) => `${signedInPrefix}${digest}`;

/** Whether a session belongs to a signed-in user, so that it is the same one after its tokens ended (V1-10). */
export const isSignedIn = (sessionId: string) => sessionId.startsWith(signedInPrefix);

/** An end is for ever. For a signed-in user it ends the tokens of chains that began until then: the next sign-in counts. */
export const hasEnded = ({ id, beganAt }: Pick<Session, 'id' | 'beganAt'>, end: SessionEnd | undefined) =>
  end !== undefined && (!isSignedIn(id) || beganAt.getTime() <= end.endedAtMs);

/** A session sees what was created under it and is not deleted, and nothing else (S-09). */
export const belongsTo = (session: string, { session: owner, transaction }: StoredTransaction) =>
  owner === session && transaction.isDeleted === 0;

/** What a V1 read asks for, and of which session. */
export type SessionRead =
  | { asks: 'not-found' }
  | { asks: 'unauthorised' }
  | { asks: 'list'; session: string }
  | { asks: 'one'; session: string }
  | { asks: 'newest-or-new'; session: string | undefined };

/**
 * What a V1 read asks for. A `uuid` without a session comes first: it is never a password, so
 * nothing is looked up (TH-01). A list is a session's own, so without a session there is none to show.
 */
export const sessionRead = (
  session: string | undefined,
  names: { uuid: boolean; filter: boolean },
): SessionRead => {
  if (session === undefined && names.uuid) return { asks: 'not-found' };
  if (session === undefined && names.filter) return { asks: 'unauthorised' };
  if (session === undefined) return { asks: 'newest-or-new', session };
  if (names.uuid) return { asks: 'one', session };
  return { asks: names.filter ? 'list' : 'newest-or-new', session };
};
