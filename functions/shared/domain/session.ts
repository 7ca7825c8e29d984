import type { StoredTransaction } from './transaction.ts';

/** 30 days, as long as an untouched transaction lives (V1-5, V1-8). */
export const sessionLifetimeSeconds = 30 * 24 * 60 * 60;

/** A session as its token states it. */
export type Session = { id: string; issuedAt: Date; expiresAt: Date };

/** A token is reissued only in its last half (V1-5): an active buyer never loses the session, and tokens do not pile up. */
export const isInLastHalf = ({ issuedAt, expiresAt }: Session, now: Date) =>
  now.getTime() >= (issuedAt.getTime() + expiresAt.getTime()) / 2;

/** A session sees what was created under it and is not deleted, and nothing else (S-09, DEL-1). */
export const belongsTo = (session: string, { session: owner, transaction }: StoredTransaction) =>
  owner !== undefined && owner === session && transaction.isDeleted === 0;

/** What a V1 read asks for. */
export type SessionRead = 'not-found' | 'unauthorised' | 'list' | 'one' | 'newest-or-new';

/**
 * Which question a V1 read asks (V1-1 to V1-3). A `uuid` without a token comes first: it is never a password, so nothing
 * is looked up (TH-01). A list is a session's own, so without a session there is none to show.
 */
export const sessionRead = (asked: {
  hasSession: boolean;
  namesUuid: boolean;
  namesFilter: boolean;
}): SessionRead => {
  if (asked.namesUuid && !asked.hasSession) return 'not-found';
  if (asked.namesFilter) return asked.hasSession ? 'list' : 'unauthorised';
  return asked.namesUuid ? 'one' : 'newest-or-new';
};
