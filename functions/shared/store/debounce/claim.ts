import { randomUUID } from 'node:crypto';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { conditionHeld, refusedParts } from '../dynamodb/failure.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { Statement } from '../dynamodb/statement.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import type { Claim, ClaimOutcome } from './debounce-row-store.ts';
import { claimUpdate } from './debounce-row-updates.ts';
import { eventItems } from './delivery-log-items.ts';
import { dueRowKey } from './keys.ts';
import { type DebounceAccess, namesIn, valuesOf } from './update.ts';

/** Access for a claim, which also depends on the transaction's version. */
export type ClaimAccess = DebounceAccess &
  TableAccess<'transactionsTable'> & {
    /** A new ClientRequestToken of at most 36 characters; random by default. */
    newToken?: () => string;
  };

/**
 * One TransactWriteItems: the transaction has this version, the row is as read with nothing in flight, and the event is put
 * with its bodies. After a lost answer DynamoDB recognises the request by its token. Nobody sends an unanswered claim until
 * its lease ends.
 */
export const claimDueRow = (access: ClaimAccess, claim: Claim): Promise<boolean> => {
  const { documents, retryDelays } = access;
  const request = requestOf(access, statementsOf(access, claim));
  return conditionHeld(withRetries(() => documents.send(request), retryDelays));
};

/**
 * Makes several claims in one TransactWriteItems, or none. A refusal says what each claim came to, so it is not repeated; a
 * lost answer is, with the same token.
 */
export const claimTogether = async (
  access: ClaimAccess,
  claims: readonly Claim[],
): Promise<ClaimOutcome[]> => {
  const { documents, retryDelays } = access;
  const parts = claims.map((claim) => statementsOf(access, claim));
  const request = requestOf(access, parts.flat());
  const sizes = parts.map(({ length }) => length);
  const refused = await withRetries(() => refusedParts(documents.send(request), sizes), retryDelays);
  return claims.map((_, index) => (refused ? outcomes[refused[index] ?? 'none'] : 'claimed'));
};

const outcomes = { 'condition-failed': 'lost', other: 'failed', none: 'not-at-fault' } as const;

const requestOf = ({ newToken = randomUUID }: ClaimAccess, TransactItems: Statement[]) =>
  new TransactWriteCommand({ TransactItems, ClientRequestToken: newToken() });

/** Event rows need no condition: a range, and so its event ID, is claimed once (EV-6). */
const statementsOf = (access: ClaimAccess, claim: Claim): Statement[] => {
  const rows = eventItems(claim.event, claim.bodies);
  return [
    { ConditionCheck: isSameVersion(access, claim) },
    { Update: updateOf(access, claim) },
    ...rows.map((Item) => ({ Put: { TableName: access.debounceTable, Item } })),
  ];
};

const isSameVersion = (
  { transactionsTable }: ClaimAccess,
  { key: { uuid }, transactionVersion }: Claim,
): NonNullable<Statement['ConditionCheck']> => ({
  TableName: transactionsTable,
  Key: { uuid },
  ConditionExpression: '#version = :version',
  ExpressionAttributeNames: { '#version': 'version' },
  ExpressionAttributeValues: { ':version': transactionVersion },
});

const updateOf = ({ debounceTable }: ClaimAccess, claim: Claim): NonNullable<Statement['Update']> => {
  const { update, condition = '', values } = claimUpdate(claim);
  return {
    TableName: debounceTable,
    Key: dueRowKey(claim.key),
    UpdateExpression: update,
    ConditionExpression: condition,
    ExpressionAttributeNames: namesIn(`${update} ${condition}`),
    ExpressionAttributeValues: valuesOf(values),
  };
};
