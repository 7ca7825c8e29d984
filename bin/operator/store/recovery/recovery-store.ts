import type { StoredTransaction } from '../../../../functions/shared/domain/transaction/transaction.ts';
import type { Pass, Row, SendingLine } from '../../../../functions/shared/events/rows.ts';

/** The stored state of an adoption, with which it continues after it died. */
export type AdoptionNote = {
  /** A version above all that were ever given (DR-3). */
  floor: number;
  tables: string[];
  /** The newest change in the restored Transactions table. */
  restoredToMs: number;
  /** The largest numeric id that may have been given. */
  largestId: number;
  /** The last sequence number before the adoption: it created the transactions behind it. */
  lastSequenceNumber: number;
};

/** Reads and writes that only an adoption needs. Every method may be repeated. */
export type RecoveryStore = {
  /** Every transaction, deleted ones included, in no order. */
  transactions: () => AsyncIterable<StoredTransaction>;
  /** Every row, pass and line of a sending, in no order. */
  debounceItems: () => AsyncIterable<Row | Pass | SendingLine>;
  /** The last numeric id and the last sequence number that were given. */
  sequences: () => Promise<{ ids: number; sequenceNumbers: number }>;
  /** Makes later sequence numbers larger than this one. */
  sequenceNumbersAtLeast: (sequenceNumber: number) => Promise<void>;
  /** Makes retention read all changes since then again (V1-8). */
  retentionAgain: (fromMs: number) => Promise<void>;
  /** The ids of idempotency records that were made after this time. */
  recordsMadeAfter: (atMs: number) => AsyncIterable<string>;
  forgetRecord: (id: string) => Promise<void>;
  /** Stores the note. Returns the earlier one where an adoption died, which then continues. */
  begin: (note: AdoptionNote) => Promise<AdoptionNote>;
  underWay: () => Promise<AdoptionNote | undefined>;
  end: () => Promise<void>;
};
