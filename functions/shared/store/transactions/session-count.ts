import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { isSignedIn } from '../../domain/session.ts';
import type { StoredTransaction } from '../../domain/transaction/transaction.ts';
import { conditionHeld } from '../dynamodb/failure.ts';
import type { Statement } from '../dynamodb/statement.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { sessionExpiresAt, sessionKey } from '../sessions/session-record.ts';

/**
 * Counts a further transaction of a session, up to the limit (S-41). The first one is not counted, so that a single
 * visit leaves no counter. The counter is in the Requests table, and the engine removes it after the session's end. An
 * anonymous session that has ended gets no more transactions (V1-10).
 */
export const countOfSession = (
  table: string,
  { session = '', createdAtMs }: StoredTransaction,
  limit: number,
): Statement => ({
  Update: {
    TableName: table,
    Key: sessionKey(session),
    UpdateExpression: 'SET #made = if_not_exists(#made, :one) + :one, #expires = :expires',
    ConditionExpression: `(attribute_not_exists(#made) OR #made < :limit)${isSignedIn(session) ? '' : ' AND attribute_not_exists(#ended)'}`,
    ExpressionAttributeNames: {
      ...{ '#made': 'made', '#expires': 'expiresAt' },
      ...(!isSignedIn(session) && { '#ended': 'endedAtMs' }),
    },
    ExpressionAttributeValues: {
      ...{ ':one': 1, ':limit': limit },
      ':expires': sessionExpiresAt(createdAtMs),
    },
  },
});

/** Sets a counter that has reached the limit to `count`, unless it was changed in between. */
export const recountSession = async (
  { documents, requestsTable }: TableAccess<'requestsTable'>,
  session: string,
  { count, limit }: { count: number; limit: number },
): Promise<void> => {
  await conditionHeld(
    documents.send(
      new UpdateCommand({
        TableName: requestsTable,
        Key: sessionKey(session),
        UpdateExpression: 'SET #made = :count',
        ConditionExpression: '#made >= :limit',
        ExpressionAttributeNames: { '#made': 'made' },
        ExpressionAttributeValues: { ':count': count, ':limit': limit },
      }),
    ),
  );
};
