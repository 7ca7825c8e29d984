import type { CompletionMarker } from '../../../../functions/shared/domain/event/debounce-row.ts';
import type { StoredTransaction } from '../../../../functions/shared/domain/transaction/transaction.ts';
import type { DeliveryLogRow } from './delivery-log-scan.ts';

/** What an adoption notes of itself, so that one which died goes on as it began. */
export type AdoptionNote = {
  /** Above every version that there ever was (DR-3). */
  floor: number;
  tables: string[];
  /** When the newest change was made that the Transactions table still has. */
  restoredToMs: number;
  /** The largest numeric id that may have been given away. */
  largestId: number;
  /** The last place in the order of creation: what stands behind it was made by the adoption. */
  lastPosition: number;
};

/** What only an adoption does with the tables; every method may be called again. */
export type RecoveryStore = {
  /** Every transaction, deleted ones too, in no order. */
  transactions: () => AsyncIterable<StoredTransaction>;
  deliveryLogRows: () => AsyncIterable<DeliveryLogRow>;
  /** Where the numeric ids and the creation sequence stand. */
  sequences: () => Promise<{ ids: number; positions: number }>;
  /** Later places in the order of creation are behind this one. */
  positionsAtLeast: (position: number) => Promise<void>;
  /** Retention looks once more at all that changed since then (V1-8). */
  retentionAgain: (fromMs: number) => Promise<void>;
  /** A completion that is still to be sent is sent under this version, on the condition that nothing happened to it. */
  raiseMarker: (marker: CompletionMarker, version: number) => Promise<boolean>;
  /** Idempotency records that were made after this time. */
  recordsMadeAfter: (atMs: number) => AsyncIterable<string>;
  forgetRecord: (id: string) => Promise<void>;
  /** The note of the adoption under way: this one, or the one that died. */
  begin: (note: AdoptionNote) => Promise<AdoptionNote>;
  underWay: () => Promise<AdoptionNote | undefined>;
  end: () => Promise<void>;
};
