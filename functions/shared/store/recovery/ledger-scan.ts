import type { DueRow } from '../../domain/event/cursor.ts';
import type { Delivery } from '../../domain/event/delivery.ts';
import { scanTable } from '../audit/scan.ts';
import { dueRowOf } from '../debounce/cursor-items.ts';
import { type DebounceKey, dueKeyOf } from '../debounce/keys.ts';
import { type DebounceItem, deliveryOf } from '../debounce/ledger-items.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';

/** A row of the Debounce table that says what was told, or is still to be told. */
export type LedgerRow = { dueRow: DueRow } | { delivery: Delivery };

/** Every cursor, marker and delivery, in no order; events and bodies are left out. */
export async function* scanLedger(access: TableAccess<'debounceTable'>): AsyncGenerator<LedgerRow> {
  const wanted = {
    FilterExpression: 'begins_with(#pk, :transaction) OR begins_with(#sk, :partner)',
    ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
    ExpressionAttributeValues: { ':transaction': 'TX#', ':partner': 'PARTNER#' },
  };
  for await (const items of scanTable(access, access.debounceTable, wanted)) yield* items.map(rowOf);
}

const rowOf = (item: Record<string, unknown>): LedgerRow => {
  const key = dueKeyOf(item as DebounceKey);
  return key.kind === 'DELIVERY'
    ? { delivery: deliveryOf(item as DebounceItem) }
    : { dueRow: dueRowOf(key, item) };
};
