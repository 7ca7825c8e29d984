import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { isSignedIn } from '../../domain/session.ts';
import type { StoredTransaction } from '../../domain/transaction/transaction.ts';
import { conditionHeld } from '../dynamodb/failure.ts';
import type { Statement } from '../dynamodb/statement.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { sessionExpiresAt, sessionKey } from '../sessions/session-record.ts';

/**
 * Counts one transaction more of its session, where it may have one more (S-41). The first of a session is not counted, so
 * that who comes once leaves no counter. It lies in the Requests table, whose engine removes it when the session is surely
 * over: a counter that stays for longer counts nothing. An anonymous session that has ended has no more (V1-10).
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

/** Sets a counter that has reached the limit to `count`, unless somebody did so in between. */
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
