import type { Outcome } from '../../domain/outcome.ts';

/** What a write answered under an `Idempotency-Key`, kept for 24 h (WR-1). Never holds a token. */
export type IdempotencyRecord = {
  /** Digest of caller, route and key: the key itself is the caller's text. */
  id: string;
  /** Digest of the body: the same key with another body is refused. */
  bodyHash: string;
  /** The transaction that the answer is about: a replay is judged by it, as a read is (GRANT-2, DEL-1). */
  uuid: string;
  answer: { status: number; headers: Record<string, string>; body: string };
  expiresAtMs: number;
};

/** How long an answer is kept (WR-1). A record is made exactly this long before it expires. */
export const recordLifetimeMs = 24 * 60 * 60 * 1000;

/** Whether a stored record still refuses another of its id at `nowMs`. */
export const isInForce = ({ expiresAtMs }: { expiresAtMs: number }, nowMs: number) => expiresAtMs > nowMs;

/** Idempotency records; a record whose time has passed is absent, whenever it is removed (S-60). */
export type RequestStore = {
  find: (id: string, now: Date) => Promise<IdempotencyRecord | undefined>;
  /** For a save that changes nothing; records of changes go in with the change itself (`TransactionWriter`). */
  remember: (record: IdempotencyRecord, now: Date) => Promise<Outcome<undefined, 'key-used'>>;
};
