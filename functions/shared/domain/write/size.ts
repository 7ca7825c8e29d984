import type { Transaction } from '../transaction/transaction.ts';

/** WR-4: 50 fully expanded records of this size fit the 6 MB of an answer. */
export const largestTransactionBytes = 100_000;

/** WR-4: the last 10 kB are kept for payments, so that a payment already taken is not refused for size. */
export const largestBytesBesidePayments = 90_000;

/** Why a transaction cannot be stored, with the limit; undefined when it can (WR-4). */
export const sizeFault = (transaction: Transaction): string | undefined => {
  const { payments: _, ...others } = transaction;
  if (bytesOf(others) > largestBytesBesidePayments) {
    return `A transaction may have at most ${largestBytesBesidePayments} bytes of JSON beside its payments.`;
  }
  return bytesOf(transaction) > largestTransactionBytes
    ? `A transaction may have at most ${largestTransactionBytes} bytes of JSON.`
    : undefined;
};

const bytesOf = (value: object) => Buffer.byteLength(JSON.stringify(value));
