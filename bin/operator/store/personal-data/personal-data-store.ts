import type {
  JsonObject,
  StoredTransaction,
} from '../../../../functions/shared/domain/transaction/transaction.ts';

/** A copy of what a transaction said: the body of an event, or the answer under an `Idempotency-Key`. */
export type KeptCopy = {
  place: 'event' | 'answer';
  /** Names it to the store that it came from. */
  id: string;
  /** Its transaction; undefined where it names none. */
  uuid: string | undefined;
  /** As it was sent or answered; empty where nothing is left of it. */
  content: JsonObject;
  madeAtMs: number;
};

/** How far a scan is, with the read units that it has cost. */
export type ScanStep = { rows: number; units: number };
export type OnScan = (step: ScanStep) => void;

/** One erasure: by whom the transactions are known again, and no address in clear. */
export type Erasure = {
  /** When, and which of that moment. */
  id: string;
  atMs: number;
  /** Keyed digest of the address; absent where transactions alone were named. */
  digest?: string;
  /** The transactions that it found, and those that were named. */
  uuids: string[];
};

/** Erasures, in a table that goes back with no other (docs/decisions/0033-erased-is-deleted-and-empty.md). */
export type ErasureList = {
  /** The digest of an address (`readEmail`) under the stage's own key, which is made when it is first asked for. */
  digester: () => Promise<(email: string) => string>;
  /** Added before anything is erased. */
  add: (erasure: Omit<Erasure, 'id'>) => Promise<Erasure>;
  all: () => Promise<Erasure[]>;
  /** The receipt: what was done, and when it ended. */
  end: (id: string, receipt: { endedAtMs: number; counts: Record<string, number> }) => Promise<void>;
};

/** Every place where a customer's data may lie. Whole tables are read: no index knows an address (S-64). */
export type PersonalDataStore = {
  /** Every transaction, deleted ones too, in no order. */
  transactions: (onScan: OnScan) => AsyncIterable<StoredTransaction>;
  /** Every body in the delivery log, and every answer that is kept for a repeated request. */
  copies: (onScan: OnScan) => AsyncIterable<KeptCopy>;
  eraseCopy: (copy: KeptCopy) => Promise<void>;
  erasures: ErasureList;
};
