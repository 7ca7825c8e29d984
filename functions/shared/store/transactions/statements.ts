import type { StoredTransaction } from '../../domain/transaction/transaction.ts';
import type { PutStatement, Statement } from '../dynamodb/statement.ts';
import type { CounterChange, ListingChange } from '../listing/change.ts';
import { toItem } from './item.ts';

/** Puts the new state if there is no item, or if the item is the one that was read. */
export const putTransaction = (
  table: string,
  before: StoredTransaction | undefined,
  after: StoredTransaction,
): PutStatement => ({
  TableName: table,
  Item: toItem(after),
  ...(before ? isUnchanged(before) : isNew),
});

const isNew = {
  ConditionExpression: 'attribute_not_exists(#uuid)',
  ExpressionAttributeNames: { '#uuid': 'uuid' },
};

/** A move to a signed-in session changes no version, so the session is compared, too (V1-10). */
export const isUnchanged = ({ version, session }: StoredTransaction) => ({
  ConditionExpression: `#version = :version AND ${session === undefined ? 'attribute_not_exists(#session)' : '#session = :session'}`,
  ExpressionAttributeNames: { '#version': 'version', '#session': 'session' },
  ExpressionAttributeValues: { ':version': version, ...(session !== undefined && { ':session': session }) },
});

export const listingStatements = (table: string, { puts, deletes, counters }: ListingChange): Statement[] => [
  ...puts.map((Item) => ({ Put: { TableName: table, Item } })),
  ...deletes.map((Key) => ({ Delete: { TableName: table, Key } })),
  ...counters.map((change) => ({ Update: addToCounter(table, change) })),
];

/**
 * ADD commutes, so counters are not read before they are written. Names have aliases, because `n` + `o` is a reserved
 * word.
 */
export const addToCounter = (table: string, { key, add }: CounterChange) => {
  const parts = Object.entries(add).map(([name, value], index) => ({ name, value, index }));
  return {
    TableName: table,
    Key: key,
    UpdateExpression: `ADD ${parts.map(({ index }) => `#a${index} :a${index}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(parts.map(({ name, index }) => [`#a${index}`, name])),
    ExpressionAttributeValues: Object.fromEntries(parts.map(({ value, index }) => [`:a${index}`, value])),
  };
};
