import { cached } from '../../runtime/cached.ts';
import type { Clock } from '../../runtime/clock.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';

/** Whether the operator has ended a session (V1-9). */
export type IsRevokedSession = (sessionId: string) => Promise<boolean>;

/** One item for all of them, so that V1 knows them without a read for each request. An operator ends few. */
export const revokedSessionsKey = { pk: 'STAGE', sk: 'REVOKED_SESSIONS' };

/** Names of attributes: a session's id behind a letter of ours. Its value is when it may be forgotten. */
export const attributeOfSession = (sessionId: string) => `s#${sessionId}`;

/** So long what was read counts: a session that is ended is refused everywhere this soon, and one request more. */
export const revokedKeptMs = 20_000;

/** Fails where the item cannot be read: nobody is let in unjudged. */
export const createRevokedSessionReader = (
  access: TableAccess<'partnersTable'> & { clock: Clock },
): IsRevokedSession => {
  const all = cached(() => readRevokedSessions(access), { forMs: revokedKeptMs, clock: access.clock });
  return async (sessionId) => Object.hasOwn(await all(), attributeOfSession(sessionId));
};

/** Names of attributes, and until when each counts. */
export const readRevokedSessions = async ({ documents, partnersTable }: TableAccess<'partnersTable'>) => {
  const { Item = {} } = await documents.send(consistentGet(partnersTable, revokedSessionsKey));
  return Item as Record<string, unknown>;
};
