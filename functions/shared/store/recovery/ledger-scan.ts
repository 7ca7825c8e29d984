import type { DueRow } from '../../domain/event/cursor.ts';
import type { Delivery } from '../../domain/event/delivery.ts';
import { isUnnoted } from '../../domain/event/new-delivery.ts';
import { scanTable } from '../audit/scan.ts';
import { dueRowOf } from '../debounce/cursor-items.ts';
import { type DebounceKey, dueKeyOf } from '../debounce/keys.ts';
import { type DebounceItem, deliveryOf } from '../debounce/ledger-items.ts';
import { readEvent } from '../debounce/ledger-reads.ts';
import type { DebounceAccess } from '../debounce/update.ts';

/** A row of the Debounce table that says what was told, or is still to be told; or a delivery that has no row yet. */
export type LedgerRow = { dueRow: DueRow } | { delivery: Delivery };

/** Every cursor, marker and delivery, in no order; events and bodies are left out. */
export async function* scanLedger(access: DebounceAccess): AsyncGenerator<LedgerRow> {
  const wanted = {
    FilterExpression: 'begins_with(#pk, :transaction) OR begins_with(#sk, :partner)',
    ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
    ExpressionAttributeValues: { ':transaction': 'TX#', ':partner': 'PARTNER#' },
  };
  for await (const items of scanTable(access, access.debounceTable, wanted))
    for (const item of items) yield* await rowsOf(access, item);
}

const rowsOf = async (access: DebounceAccess, item: Record<string, unknown>): Promise<LedgerRow[]> => {
  const key = dueKeyOf(item as DebounceKey);
  if (key.kind === 'DELIVERY') return [{ delivery: deliveryOf(item as DebounceItem) }];
  const dueRow = dueRowOf(key, item);
  const unnoted = await unnotedIn(access, dueRow);
  return [{ dueRow }, ...unnoted.map((delivery) => ({ delivery }))];
};

/** Nothing may be noted yet of an event that somebody is sending. */
const unnotedIn = async (access: DebounceAccess, { inflight }: DueRow): Promise<Delivery[]> => {
  const found = inflight && (await readEvent(access, inflight.eventId));
  return (found?.deliveries ?? []).filter(isUnnoted);
};
