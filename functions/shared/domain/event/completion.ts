import type { StoredTransaction } from '../transaction/transaction.ts';
import type { Notice } from './cursor.ts';

/** Whoever completes a transaction tells of it by itself; what it leaves is found by the flush after so long (events 6). */
const graceMs = 10_000;

/** Whether a change completes the transaction: it happens once (V2-4), and TransactionCompleted tells of it (I8). */
export const completes = (before: StoredTransaction, after: StoredTransaction): boolean =>
  before.transaction.status === 0 && after.transaction.status === 1;

/** What goes in with the completing change, so that no crash separates the two (events 6). */
export const completionMarker = ({ transaction, version, updatedAtMs }: StoredTransaction): Notice => ({
  uuid: transaction.uuid,
  kind: 'COMPLETED',
  version,
  dueAtMs: updatedAtMs + graceMs,
  rev: 0,
  touch: 0,
});
