import { completeTransaction } from './shape.ts';
import type { Transaction } from './transaction.ts';

/** The limit of a transaction without its payments, in bytes of JSON (WR-4), and of a body. */
export const largestTransactionBytes = 100_000;

/**
 * The limit of the same for what a V1 session writes. A write costs by the size of the whole transaction, and anybody may
 * begin a session (S-86, docs/cost.md).
 */
export const largestOfSessionBytes = 32_000;

/** The limit of payments: an item of 409,600 bytes, less 100,000 for the largest transaction and 9,600 for its keys. */
export const largestPaymentsBytes = 300_000;

/**
 * The limit for a payment with `status` 0, so that payments with `status` 1 have the other 200,000 bytes
 * (docs/writes.md).
 */
export const triedPaymentsBytes = 100_000;

/** A size in the form that all messages use. */
export const bytesText = (bytes: number): string => `${bytes.toLocaleString('en-GB')} bytes`;

/** Which limit a change exceeds. `detail` names it. */
export type SizeFault = { reason: 'transaction-too-large' | 'payments-too-large'; detail: string };

/** The sentence about each limit. */
export const sizeFaults = {
  transaction: {
    reason: 'transaction-too-large',
    detail: `A transaction may have at most ${bytesText(largestTransactionBytes)} of JSON beside its payments.`,
  },
  ofSession: {
    reason: 'transaction-too-large',
    detail: `A checkout may bring its transaction to at most ${bytesText(largestOfSessionBytes)} of JSON beside its payments.`,
  },
  taken: {
    reason: 'payments-too-large',
    detail: `The payments of a transaction may have at most ${bytesText(largestPaymentsBytes)} of JSON.`,
  },
  tried: {
    reason: 'payments-too-large',
    detail: `A payment with status 0 may not bring a transaction's payments over ${bytesText(triedPaymentsBytes)} of JSON.`,
  },
} as const satisfies Record<string, SizeFault>;

/** Who changes a transaction. */
export type Writer = 'session' | 'partner';

/**
 * Why a change cannot be stored, with the limit. Undefined if it can (WR-4). What is not payments is checked only if it
 * changes, so a payment is never refused because of others' data. A part above its limit may become smaller. Where a
 * partner has made a transaction larger than its session could, the session has the partner's limit, because its buyer
 * could not go on otherwise.
 */
export const sizeFault = (
  after: Transaction,
  before: Transaction | undefined,
  writer: Writer,
): SizeFault | undefined => {
  const [added] = (after.payments ?? []).slice((before?.payments ?? []).length);
  if (added) return paymentFault(paymentsBytesOf(after), added.status === 1);
  const [bytes, bytesBefore] = [bytesBesidePayments(after), before ? bytesBesidePayments(before) : 0];
  if (writer === 'session' && bytesBefore <= largestOfSessionBytes)
    return bytes > largestOfSessionBytes ? sizeFaults.ofSession : undefined;
  return bytes > Math.max(largestTransactionBytes, bytesBefore) ? sizeFaults.transaction : undefined;
};

/** A payment with `status` 1 has already been taken, and a refusal would not undo it. */
const paymentFault = (bytes: number, isTaken: boolean) => {
  if (bytes <= (isTaken ? largestPaymentsBytes : triedPaymentsBytes)) return undefined;
  return isTaken ? sizeFaults.taken : sizeFaults.tried;
};

/** In the shape of answers (SHAPE-1), so that an export can be imported. */
export const bytesBesidePayments = (transaction: Transaction): number => {
  const { payments: _, ...others } = completeTransaction(transaction);
  return Buffer.byteLength(JSON.stringify(others));
};

/** The payments alone, in the shape of answers. */
export const paymentsBytesOf = (transaction: Transaction): number =>
  Buffer.byteLength(JSON.stringify(completeTransaction(transaction).payments ?? []));
