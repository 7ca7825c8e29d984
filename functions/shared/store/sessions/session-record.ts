import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { chainLifetimeMs, type SessionEnd } from '../../domain/session.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { conditionHeld } from '../dynamodb/failure.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';

/** A session's item in the Requests table: the number of its transactions, and its end. Most sessions have none. */
export const sessionKey = (sessionId: string) => ({ pk: `${keyPrefix}${sessionId}`, sk: '0' });

/** The session of such an item. */
export const sessionIn = ({ pk }: { pk: string }) => pk.slice(keyPrefix.length);

const keyPrefix = 'SESSION#';

/** When the engine may remove the item, in seconds: every token issued until `atMs` has expired by then. */
export const sessionExpiresAt = (atMs: number) => Math.ceil((atMs + chainLifetimeMs) / 1000);

/** Whether a session has ended before its tokens expired. */
export type SessionEnds = {
  /** Strongly consistent. Undefined for a session that has not ended. */
  endOf: (sessionId: string) => Promise<SessionEnd | undefined>;
  /**
   * Ends an anonymous session because its user signed in (V1-10). Returns the end that counts, which is the earlier one
   * if there are two.
   */
  endBySignIn: (sessionId: string, movedTo: string, now: Date) => Promise<SessionEnd>;
};

/** Fails if the item cannot be read, so that nobody is let in unchecked. */
export const createSessionEnds = (access: TableAccess<'requestsTable'>): SessionEnds => {
  const endOf = async (sessionId: string) => {
    const request = consistentGet(access.requestsTable, sessionKey(sessionId));
    const { Item = {} } = await withRetries(() => access.documents.send(request), access.retryDelays);
    const { endedAtMs, movedTo } = Item;
    return endedAtMs === undefined ? undefined : ({ endedAtMs, ...(movedTo && { movedTo }) } as SessionEnd);
  };
  return {
    endOf,
    endBySignIn: async (sessionId, movedTo, now) => {
      const end = { endedAtMs: now.getTime(), movedTo };
      const request = new UpdateCommand(endUnlessEnded(access.requestsTable, sessionId, end));
      const isDone = await conditionHeld(
        withRetries(() => access.documents.send(request), access.retryDelays),
      );
      return (isDone ? undefined : await endOf(sessionId)) ?? end;
    },
  };
};

const endUnlessEnded = (table: string, sessionId: string, { endedAtMs, movedTo }: Required<SessionEnd>) => ({
  TableName: table,
  Key: sessionKey(sessionId),
  UpdateExpression: 'SET #ended = :ended, #movedTo = :movedTo, #expires = :expires',
  ConditionExpression: 'attribute_not_exists(#ended)',
  ExpressionAttributeNames: { '#ended': 'endedAtMs', '#movedTo': 'movedTo', '#expires': 'expiresAt' },
  ExpressionAttributeValues: {
    ':ended': endedAtMs,
    ':movedTo': movedTo,
    ':expires': sessionExpiresAt(endedAtMs),
  },
});
