import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { failureOf, withRetries } from '../dynamodb/retry.ts';
import type { Statement } from '../dynamodb/statement.ts';
import type { Claim } from './cursor-store.ts';
import { claimChange } from './cursor-updates.ts';
import { dueRowKey } from './keys.ts';
import { deliveryItem, eventItems } from './ledger-items.ts';
import { type DebouncePlace, namesIn, valuesOf } from './update.ts';

export type CursorPlace = DebouncePlace & {
  transactionsTable: string;
  /** A new ClientRequestToken; at most 36 characters. */
  newToken: () => string;
};

/**
 * One TransactWriteItems: the transaction has this version still, the cursor or marker is as read and free, and the ledger's rows go
 * in (events 5, step 4). The engine recognises the request by its token when it comes again after a lost answer; a claim
 * that stays unanswered is nobody's, and the end of its lease brings it back.
 */
export const claimDueRow = async (place: CursorPlace, claim: Claim): Promise<boolean> => {
  const request = new TransactWriteCommand({
    TransactItems: statementsOf(place, claim),
    ClientRequestToken: place.newToken(),
  });
  try {
    await withRetries(() => place.documents.send(request), place.patience);
    return true;
  } catch (error) {
    if (failureOf(error) === 'condition-failed') return false;
    throw error;
  }
};

/** The rows have no condition of their own: a range is claimed once, and its id with it (EV-6). */
const statementsOf = (place: CursorPlace, claim: Claim): Statement[] => {
  const now = place.clock();
  const rows = [
    ...eventItems(claim.event, claim.bodies),
    ...claim.deliveries.map((delivery) => deliveryItem(delivery, now)),
  ];
  return [
    { ConditionCheck: isSameVersion(place, claim) },
    { Update: updateOf(place, claim) },
    ...rows.map((Item) => ({ Put: { TableName: place.debounceTable, Item } })),
  ];
};

const isSameVersion = (
  { transactionsTable }: CursorPlace,
  { key: { uuid }, transactionVersion }: Claim,
): NonNullable<Statement['ConditionCheck']> => ({
  TableName: transactionsTable,
  Key: { uuid },
  ConditionExpression: '#version = :version',
  ExpressionAttributeNames: { '#version': 'version' },
  ExpressionAttributeValues: { ':version': transactionVersion },
});

const updateOf = ({ debounceTable }: CursorPlace, claim: Claim): NonNullable<Statement['Update']> => {
  const { update, condition = '', values } = claimChange(claim);
  return {
    TableName: debounceTable,
    Key: dueRowKey(claim.key),
    UpdateExpression: update,
    ConditionExpression: condition,
    ExpressionAttributeNames: namesIn(`${update} ${condition}`),
    ExpressionAttributeValues: valuesOf(values),
  };
};
