import { completionMarker } from '../../domain/event/debounce-row.ts';
import type { StoredTransaction } from '../../domain/transaction/transaction.ts';
import type { PutStatement } from '../dynamodb/statement.ts';
import { markerItem } from './debounce-row-items.ts';

/** Puts the marker of a completion. A transaction completes once (V2-4), so no marker exists. */
export const putMarker = (table: string, completed: StoredTransaction): PutStatement => ({
  TableName: table,
  Item: markerItem(completionMarker(completed)),
});
