import { chainLifetimeMs } from '../../domain/session.ts';
import type { StoredTransaction } from '../../domain/transaction/transaction.ts';
import type { Statement } from '../dynamodb/statement.ts';

/**
 * Counts one transaction more of its session, where it may have one more (S-41). The first of a session is not counted, so
 * that who comes once leaves no counter. It lies in the Requests table, whose engine removes it when the session is surely
 * over: a counter that stays for longer counts nothing.
 */
export const countOfSession = (
  table: string,
  { session, createdAtMs }: StoredTransaction,
  limit: number,
): Statement => ({
  Update: {
    TableName: table,
    Key: { pk: `SESSION#${session}`, sk: '0' },
    UpdateExpression: 'SET #made = if_not_exists(#made, :one) + :one, #expires = :expires',
    ConditionExpression: 'attribute_not_exists(#made) OR #made < :limit',
    ExpressionAttributeNames: { '#made': 'made', '#expires': 'expiresAt' },
    ExpressionAttributeValues: {
      ':one': 1,
      ':limit': limit,
      ':expires': Math.ceil((createdAtMs + chainLifetimeMs) / 1000),
    },
  },
});
