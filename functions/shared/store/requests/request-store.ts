import type { Outcome } from '../../domain/outcome.ts';
import type { SelectionText } from '../../domain/query/selection.ts';

/** An answer to a partner: all of it but tokens. */
export type KeptAnswer = { status: number; headers: Record<string, string>; body: string };

/**
 * How an answer showed a session its transaction, and nothing of the transaction. Anybody may begin a session, so its
 * records do not cost by the size of the transaction (S-86).
 */
export type KeptView = { status: number; headers: Record<string, string>; selection: SelectionText };

/** What is stored for 24 h of a write with an `Idempotency-Key` (WR-1). Never contains a token. */
export type IdempotencyRecord = {
  /** Digest of caller, route and key, because the key itself is the caller's text. */
  id: string;
  /** Digest of the body. The same key with another body is refused. */
  bodyHash: string;
  /** The transaction of the answer. A replay is allowed only if the caller may read it (GRANT-2, DEL-1). */
  uuid: string;
  answer: KeptAnswer | KeptView;
  expiresAtMs: number;
};

/** How long an answer is stored (WR-1), from the time of its record. */
export const recordLifetimeMs = 24 * 60 * 60 * 1000;

/** Whether a stored record still refuses another one of its id at `nowMs`. */
export const isInForce = ({ expiresAtMs }: { expiresAtMs: number }, nowMs: number) => expiresAtMs > nowMs;

/** Idempotency records. An expired record counts as absent, even before it is removed (S-60). */
export type RequestStore = {
  find: (id: string, now: Date) => Promise<IdempotencyRecord | undefined>;
  /** For a save that changes nothing. Records of changes are written with the change itself (`TransactionWriter`). */
  remember: (record: IdempotencyRecord, now: Date) => Promise<Outcome<undefined, 'key-used'>>;
};
