import { isDeepStrictEqual } from 'node:util';
import { applyChange, type Change } from './change.ts';
import {
  elementNames,
  type JsonValue,
  type StoredTransaction,
  type Transaction,
  type VersionedPart,
  versionedParts,
} from './transaction.ts';

/**
 * What is stored after a change (events section 3): the next version, which is also that of exactly the parts that
 * changed, and a time that rises. Undefined when nothing is different, for such a save is none (WR-3).
 */
export const nextState = (
  before: StoredTransaction,
  transaction: Transaction,
  now: Date,
): StoredTransaction | undefined => {
  const changed = changedParts(before.transaction, transaction);
  if (changed.length === 0) return undefined;
  const version = before.version + 1;
  return {
    ...before,
    transaction,
    version,
    elementVersions: {
      ...before.elementVersions,
      ...Object.fromEntries(changed.map((part) => [part, version])),
    },
    updatedAtMs: Math.max(before.updatedAtMs + 1, now.getTime()),
  };
};

/** The parts in which two states of a transaction differ. The order of members is no difference. */
export const changedParts = (before: Transaction, after: Transaction): VersionedPart[] =>
  versionedParts.filter((part) => !isDeepStrictEqual(partOf(before, part), partOf(after, part)));

/** As it will be read again: -0, for one, is stored as 0. */
const asStored = (value: JsonValue | undefined): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

const partOf = (transaction: Transaction, part: VersionedPart) =>
  asStored(part === 'own' ? ownOf(transaction) : transaction[part]);

const ownOf = (transaction: Transaction) =>
  Object.fromEntries(
    Object.entries(transaction).filter(([name]) => !(elementNames as readonly string[]).includes(name)),
  );

type NewTransaction = Omit<StoredTransaction, 'position'>;

/**
 * A new transaction with what its creation enters (V1-6). Its first version is that of everything present, and it is told
 * (events section 8), unless nothing was entered: then it is as quiet, and swept, as one of get-or-create (EV-10, V1-8).
 */
export const withEntries = (untouched: NewTransaction, change: Change): NewTransaction => {
  const transaction = applyChange(untouched.transaction, change);
  const entered = changedParts(untouched.transaction, transaction);
  return {
    ...untouched,
    transaction,
    elementVersions: {
      ...untouched.elementVersions,
      ...Object.fromEntries(entered.map((part) => [part, untouched.version])),
    },
    quietVersion: entered.length > 0 ? 0 : untouched.quietVersion,
  };
};

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
