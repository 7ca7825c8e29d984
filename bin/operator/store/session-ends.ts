import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { TableAccess } from '../../../functions/shared/store/dynamodb/table-access.ts';
import { sessionExpiresAt, sessionKey } from '../../../functions/shared/store/sessions/session-record.ts';

/** Revocations of sessions by the operator (V1-9). */
export type RevokedSessions = {
  /** Ends every token of the session issued until then, and stops an unfinished move of its transactions. */
  revoke: (sessionId: string, endedAt: Date) => Promise<void>;
};

/** Sessions in the Requests table. */
export const createRevokedSessions = ({
  documents,
  requestsTable,
}: TableAccess<'requestsTable'>): RevokedSessions => ({
  revoke: async (sessionId, endedAt) => {
    await documents.send(
      new UpdateCommand({
        TableName: requestsTable,
        Key: sessionKey(sessionId),
        UpdateExpression: 'SET #ended = :ended, #expires = :expires REMOVE #movedTo',
        ExpressionAttributeNames: { '#ended': 'endedAtMs', '#expires': 'expiresAt', '#movedTo': 'movedTo' },
        ExpressionAttributeValues: {
          ':ended': endedAt.getTime(),
          ':expires': sessionExpiresAt(endedAt.getTime()),
        },
      }),
    );
  },
});
