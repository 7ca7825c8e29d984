import type { DueRow } from '../../../../functions/shared/domain/event/debounce-row.ts';
import type { Delivery } from '../../../../functions/shared/domain/event/delivery.ts';
import { isPendingDelivery } from '../../../../functions/shared/domain/event/new-delivery.ts';
import { dueRowOf } from '../../../../functions/shared/store/debounce/debounce-row-items.ts';
import {
  type DebounceItem,
  deliveryOf,
} from '../../../../functions/shared/store/debounce/delivery-log-items.ts';
import { readEvent } from '../../../../functions/shared/store/debounce/delivery-log-reads.ts';
import { type DebounceKey, dueKeyOf } from '../../../../functions/shared/store/debounce/keys.ts';
import type { DebounceAccess } from '../../../../functions/shared/store/debounce/update.ts';
import { scanTable } from '../scan.ts';

/** A debounce row or marker, or a delivery, which may be pending and so have no row. */
export type DeliveryLogRow = { dueRow: DueRow } | { delivery: Delivery };

/** Every debounce row, marker and delivery, in no order, without events and bodies. */
export async function* scanDeliveryLog(access: DebounceAccess): AsyncGenerator<DeliveryLogRow> {
  const wanted = {
    FilterExpression: 'begins_with(#pk, :transaction) OR begins_with(#sk, :partner)',
    ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
    ExpressionAttributeValues: { ':transaction': 'TX#', ':partner': 'PARTNER#' },
  };
  for await (const items of scanTable(access, access.debounceTable, wanted))
    for (const item of items) yield* await rowsOf(access, item);
}

const rowsOf = async (access: DebounceAccess, item: Record<string, unknown>): Promise<DeliveryLogRow[]> => {
  const key = dueKeyOf(item as DebounceKey);
  if (key.kind === 'DELIVERY') return [{ delivery: deliveryOf(item as DebounceItem) }];
  const dueRow = dueRowOf(key, item);
  const pending = await pendingIn(access, dueRow);
  return [{ dueRow }, ...pending.map((delivery) => ({ delivery }))];
};

/** The deliveries of an event in flight that have no row yet. */
const pendingIn = async (access: DebounceAccess, { inflight }: DueRow): Promise<Delivery[]> => {
  const found = inflight && (await readEvent(access, inflight.eventId));
  return (found?.deliveries ?? []).filter(isPendingDelivery);
};
