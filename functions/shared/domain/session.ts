import { createHmac } from 'node:crypto';
import type { StoredTransaction } from './transaction/transaction.ts';

/** 30 days, the same as for an untouched transaction (V1-8). */
export const sessionLifetimeSeconds = 30 * 24 * 60 * 60;

/** A session as in its token. `beganAt` is when its first token was issued, to the millisecond. */
export type Session = { id: string; beganAt: Date; issuedAt: Date; expiresAt: Date };

/** A session ends after 90 days, however often its token is renewed, so nobody can use a stolen one for ever (V1-5). */
export const chainLifetimeMs = 90 * 24 * 60 * 60 * 1000;

/** A buyer needs a few. For more, a new session must begin, which the gateway's throttle bounds (S-40, S-41). */
export const transactionsPerSession = 20;

/** Rounded down, because tokens end at whole seconds. */
export const chainEndsAt = ({ beganAt }: Pick<Session, 'beganAt'>) =>
  new Date(Math.floor((beganAt.getTime() + chainLifetimeMs) / 1000) * 1000);

/**
 * A token is renewed only in the last half of its lifetime (V1-5), so that tokens do not accumulate, and only if the
 * new one ends later.
 */
export const isToBeReissued = (session: Session, now: Date) => {
  const { issuedAt, expiresAt } = session;
  const isInLastHalf = now.getTime() >= (issuedAt.getTime() + expiresAt.getTime()) / 2;
  return isInLastHalf && expiresAt < chainEndsAt(session);
};

/** Why a session ended before its tokens expired: by the operator, or because its user signed in (V1-9, V1-10). */
export type SessionEnd = {
  endedAtMs: number;
  /** The signed-in session that gets its transactions. */
  movedTo?: string;
};

/** Prefix of the session ids of signed-in users. Ids of anonymous sessions have letters and digits only. */
const signedInPrefix = 'user-';

/**
 * The session id of an identity provider's user: the same on every device, and only who knows `key` can derive it from
 * the user (V1-10). `key` is the one of `readUserKey`.
 */
export const sessionOfUser = (
  { issuer, subject }: { issuer: string; subject: string },
  key: string,
): string => {
  const digest = createHmac('sha256', key).update(JSON.stringify([issuer, subject]));
  return `${signedInPrefix}${digest.digest('base64url')}`;
};

/** Whether a session belongs to a signed-in user, and so continues after its tokens have ended (V1-10). */
export const isSignedIn = (sessionId: string) => sessionId.startsWith(signedInPrefix);

/**
 * An anonymous session never begins again. The session of a signed-in user loses the tokens issued until then, and
 * continues at the next sign-in.
 */
export const hasEnded = ({ id, beganAt }: Pick<Session, 'id' | 'beganAt'>, end: SessionEnd | undefined) =>
  end !== undefined && (!isSignedIn(id) || beganAt.getTime() <= end.endedAtMs);

/**
 * When the session of a user who signs in now begins: after its last end, which may have been set by a clock that is
 * ahead, so that the token is valid.
 */
export const beginningAfter = (end: SessionEnd | undefined, now: Date) =>
  new Date(Math.max(now.getTime(), (end?.endedAtMs ?? 0) + 1));

/** A session sees the transactions that were created in it and are not deleted, and no others (S-09). */
export const belongsTo = (session: string, { session: owner, transaction }: StoredTransaction) =>
  owner === session && transaction.isDeleted === 0;

/** What a V1 read asks for, and in which session. */
export type SessionRead =
  | { asks: 'not-found' }
  | { asks: 'unauthorised' }
  | { asks: 'list'; session: string }
  | { asks: 'one'; session: string }
  | { asks: 'newest-or-new'; session: string | undefined };

/**
 * What a V1 read asks for. A `uuid` without a session is refused before anything is read, because a uuid is no password
 * (TH-01). A list shows a session's own transactions, so without a session it is empty.
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
