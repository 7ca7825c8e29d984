import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { cached } from '../../runtime/cached.ts';
import type { Clock } from '../../runtime/clock.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';

/** Sessions that the operator has ended, until they would have ended by themselves (V1-9). */
export type RevokedSessions = {
  /** Ended before is ended still. */
  revoke: (sessionId: string, times: { now: Date; until: Date }) => Promise<void>;
};

export type IsRevokedSession = (sessionId: string) => Promise<boolean>;

/** One item for all of them, so that V1 knows them without a read for each request. An operator ends few. */
const key = { pk: 'STAGE', sk: 'REVOKED_SESSIONS' };

/** Names of attributes: a session's id behind a letter of ours. Its value is when it may be forgotten. */
const nameOf = (sessionId: string) => `s#${sessionId}`;

/** So long what was read counts: a session that is ended is refused everywhere this soon, and one request more. */
export const revokedKeptMs = 20_000;

export const createRevokedSessions = (access: TableAccess<'partnersTable'>): RevokedSessions => ({
  revoke: async (sessionId, { now, until }) => {
    const stale = Object.entries(await readItem(access))
      .filter(([name, untilMs]) => name.startsWith('s#') && Number(untilMs) <= now.getTime())
      .map(([name]) => name)
      .slice(0, mostRemoved);
    await access.documents.send(update(access.partnersTable, { sessionId, until, stale }));
  },
});

/** Fails where the item cannot be read: nobody is let in unjudged. */
export const createRevokedSessionReader = (
  access: TableAccess<'partnersTable'> & { clock: Clock },
): IsRevokedSession => {
  const all = cached(() => readItem(access), { forMs: revokedKeptMs, clock: access.clock });
  return async (sessionId) => Object.hasOwn(await all(), nameOf(sessionId));
};

/** An expression is 4 kB at most; the next revocations remove the others. */
const mostRemoved = 100;

const readItem = async ({ documents, partnersTable }: TableAccess<'partnersTable'>) => {
  const { Item = {} } = await documents.send(consistentGet(partnersTable, key));
  return Item as Record<string, unknown>;
};

type Change = { sessionId: string; until: Date; stale: readonly string[] };

const update = (table: string, { sessionId, until, stale }: Change) => {
  const removed = stale.map((name, index) => [`#r${index}`, name] as const);
  return new UpdateCommand({
    TableName: table,
    Key: key,
    UpdateExpression: `SET #session = :until${removed.length > 0 ? ` REMOVE ${removed.map(([alias]) => alias).join(', ')}` : ''}`,
    ExpressionAttributeNames: { '#session': nameOf(sessionId), ...Object.fromEntries(removed) },
    ExpressionAttributeValues: { ':until': until.getTime() },
  });
};
