import { completeTransaction } from './shape.ts';
import type { Transaction } from './transaction.ts';

/** What a transaction may have beside its payments, in bytes of JSON (WR-4); a body has no more. */
export const largestTransactionBytes = 100_000;

/** The room of payments: an item of 409,600 bytes, less 100,000 for the largest transaction and 9,600 for its keys. */
export const largestPaymentsBytes = 300_000;

/** Where payments with `status` 0 end, so that taken ones find the other 200,000 bytes (docs/writes.md). */
export const triedPaymentsBytes = 100_000;

/** A size as all texts write it. */
export const bytesText = (bytes: number): string => `${bytes.toLocaleString('en-GB')} bytes`;

/** Which room of a transaction is too small for a change; `detail` says its limit. */
export type SizeFault = { reason: 'transaction-too-large' | 'payments-too-large'; detail: string };

/** What is said of each limit. */
export const sizeFaults = {
  transaction: {
    reason: 'transaction-too-large',
    detail: `A transaction may have at most ${bytesText(largestTransactionBytes)} of JSON beside its payments.`,
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

/**
 * Why a change cannot be stored, with the limit; undefined when it can (WR-4). What is not the payments' is judged when it
 * changes, so that a payment is never refused for what others wrote; what was larger before may become smaller.
 */
export const sizeFault = (after: Transaction, before?: Transaction): SizeFault | undefined => {
  const [added] = (after.payments ?? []).slice((before?.payments ?? []).length);
  if (added) return paymentFault(paymentsBytesOf(after), added.status === 1);
  const limit = Math.max(largestTransactionBytes, before ? bytesBesidePayments(before) : 0);
  return bytesBesidePayments(after) > limit ? sizeFaults.transaction : undefined;
};

/** A payment with `status` 1 is taken already: to refuse it would not take it back. */
const paymentFault = (bytes: number, isTaken: boolean) => {
  if (bytes <= (isTaken ? largestPaymentsBytes : triedPaymentsBytes)) return undefined;
  return isTaken ? sizeFaults.taken : sizeFaults.tried;
};

/** As it is shown (SHAPE-1), so that what was exported can be imported. */
export const bytesBesidePayments = (transaction: Transaction): number => {
  const { payments: _, ...others } = completeTransaction(transaction);
  return Buffer.byteLength(JSON.stringify(others));
};

/** The payments alone, as they are shown. */
export const paymentsBytesOf = (transaction: Transaction): number =>
  Buffer.byteLength(JSON.stringify(completeTransaction(transaction).payments ?? []));
