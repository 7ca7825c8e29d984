import { completionMarker } from '../../domain/event/cursor.ts';
import type { StoredTransaction } from '../../domain/transaction/transaction.ts';
import type { PutStatement } from '../dynamodb/statement.ts';
import { dueRowKey, dueShardText } from './keys.ts';

/** Puts the marker of a completion (events 6). A transaction completes once (V2-4), so no marker stands there. */
export const putMarker = (table: string, completed: StoredTransaction): PutStatement => {
  const { uuid, kind, ...marker } = completionMarker(completed);
  return {
    TableName: table,
    Item: { ...dueRowKey({ uuid, kind }), ...marker, dueShard: dueShardText(uuid) },
  };
};
