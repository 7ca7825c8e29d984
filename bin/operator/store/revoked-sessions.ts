import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { TableAccess } from '../../../functions/shared/store/dynamodb/table-access.ts';
import {
  attributeOfSession,
  readRevokedSessions,
  revokedSessionsKey,
} from '../../../functions/shared/store/sessions/revoked-sessions.ts';

/** Sessions that the operator has ended, until they would have ended by themselves (V1-9). */
export type RevokedSessions = {
  /** Ended before is ended still. */
  revoke: (sessionId: string, times: { now: Date; until: Date }) => Promise<void>;
};

/** The sessions over the Partners table. */
export const createRevokedSessions = (access: TableAccess<'partnersTable'>): RevokedSessions => ({
  revoke: async (sessionId, { now, until }) => {
    const stale = Object.entries(await readRevokedSessions(access))
      .filter(([name, untilMs]) => name.startsWith('s#') && Number(untilMs) <= now.getTime())
      .map(([name]) => name)
      .slice(0, mostRemoved);
    await access.documents.send(update(access.partnersTable, { sessionId, until, stale }));
  },
});

/** An expression is 4 kB at most; the next revocations remove the others. */
const mostRemoved = 100;

type Change = { sessionId: string; until: Date; stale: readonly string[] };

const update = (table: string, { sessionId, until, stale }: Change) => {
  const removed = stale.map((name, index) => [`#r${index}`, name] as const);
  return new UpdateCommand({
    TableName: table,
    Key: revokedSessionsKey,
    UpdateExpression: `SET #session = :until${removed.length > 0 ? ` REMOVE ${removed.map(([alias]) => alias).join(', ')}` : ''}`,
    ExpressionAttributeNames: { '#session': attributeOfSession(sessionId), ...Object.fromEntries(removed) },
    ExpressionAttributeValues: { ':until': until.getTime() },
  });
};
