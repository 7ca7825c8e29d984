import type {
  JsonObject,
  StoredTransaction,
} from '../../../../functions/shared/domain/transaction/transaction.ts';

/** A copy of a transaction: the answer to a partner under an `Idempotency-Key`. */
export type KeptCopy = {
  key: { pk: string; sk: string };
  /** The transaction that the copy names. */
  uuid: string;
  /** The transaction as answered; empty after an erasure. */
  content: JsonObject;
  madeAtMs: number;
};

/** Rows and read units of one page of a scan. */
export type ScanStep = { rows: number; units: number };
export type OnScan = (step: ScanStep) => void;

/** An anonymous session whose user signed in, and the session of that user (V1-10). */
export type MovedSession = { session: string; movedTo: string };

/** One erasure. It identifies the customer without the address or the session in clear. */
export type Erasure = {
  /** `AT#`, the time, and a random part. */
  id: string;
  atMs: number;
  /** Keyed digest of the address; absent where none was named. */
  digest?: string;
  /** Keyed digest of the session id of a signed-in user; absent where none was named (S-88). */
  userDigest?: string;
  /** The transactions that were found or named. */
  uuids: string[];
};

/** All erasures, in a table that is never restored (decision 33). */
export type ErasureList = {
  /**
   * Digests an address in the form of `readEmail`, or the session id of a user, with the stage's key, which the first call
   * makes.
   */
  digester: () => Promise<(text: string) => string>;
  /** Adds an erasure before it erases anything. */
  add: (erasure: Omit<Erasure, 'id'>) => Promise<Erasure>;
  all: () => Promise<Erasure[]>;
  /** Adds the receipt to an erasure. */
  end: (id: string, receipt: { endedAtMs: number; counts: Record<string, number> }) => Promise<void>;
};

/** Every place that may hold a customer's data. Whole tables are scanned, since no index has addresses (S-64). */
export type PersonalDataStore = {
  /** Every transaction, deleted ones included, in no order. */
  transactions: (onScan: OnScan) => AsyncIterable<StoredTransaction>;
  /** The anonymous sessions that moved in the last 90 days; a move leaves deleted transactions in them. */
  movedSessions: (onScan: OnScan) => AsyncIterable<MovedSession>;
  /** Every answer kept for a repeated request of a partner. */
  copies: (onScan: OnScan) => AsyncIterable<KeptCopy>;
  eraseCopy: (copy: KeptCopy) => Promise<void>;
  erasures: ErasureList;
};
