import type { CompletionMarker } from '../../../functions/shared/domain/event/cursor.ts';
import type { Delivery } from '../../../functions/shared/domain/event/delivery.ts';
import type { LedgerRow } from '../../../functions/shared/store/recovery/ledger-scan.ts';

/** What the ledger knows of one transaction, as far as an adoption asks. */
export type Told = {
  /** The highest version that any event names, also one that is still on its way. */
  upTo: number;
  /** Up to which version everything was told; undefined before the first event. */
  notifiedVersion?: number;
  /** A completion that is still to be told, and that nobody has claimed. */
  marker?: CompletionMarker;
  /** TransactionUpdated that are kept, to be sent, or to be sent again. */
  open: Delivery[];
  /** Whether a TransactionCompleted was claimed for somebody. */
  isCompletionTold: boolean;
};

/** What the ledger knows, by transaction. */
export const toldByLedger = async (rows: AsyncIterable<LedgerRow>): Promise<Map<string, Told>> => {
  const all = new Map<string, Told>();
  for await (const row of rows) {
    const { uuid } = 'delivery' in row ? row.delivery : row.dueRow;
    const told = all.get(uuid) ?? { upTo: 0, open: [], isCompletionTold: false };
    all.set(uuid, withRow(told, row));
  }
  return all;
};

const withRow = (told: Told, row: LedgerRow): Told => {
  if ('delivery' in row) return withDelivery(told, row.delivery);
  const { dueRow } = row;
  if (dueRow.kind === 'COMPLETED')
    return dueRow.dueAtMs === undefined || dueRow.inflight ? told : { ...told, marker: dueRow };
  const { notifiedVersion, inflight } = dueRow;
  return {
    ...told,
    upTo: Math.max(told.upTo, notifiedVersion ?? 0, inflight?.to ?? 0),
    ...(notifiedVersion !== undefined && { notifiedVersion }),
  };
};

const withDelivery = (told: Told, delivery: Delivery): Told => ({
  ...told,
  upTo: Math.max(told.upTo, delivery.to),
  open: isOpen(delivery) ? [...told.open, delivery] : told.open,
  isCompletionTold: told.isCompletionTold || delivery.type === 'TransactionCompleted',
});

/** A completion stands outside the chain, and its stored bytes are the only ones that there are. */
const isOpen = ({ type, state, dueAtMs }: Delivery) =>
  type === 'TransactionUpdated' &&
  (state === 'READY' || state === 'HELD' || (state === 'DEAD' && dueAtMs !== undefined));
