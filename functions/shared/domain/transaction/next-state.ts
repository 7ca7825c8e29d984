import { isDeepStrictEqual } from 'node:util';
import { applyChange, type TransactionChange } from './change.ts';
import { sendsContent } from './empty-checkout.ts';
import type { NewTransaction } from './new-transaction.ts';
import { completeElement } from './shape.ts';
import {
  elementNames,
  type JsonValue,
  type StoredTransaction,
  type Transaction,
  type VersionedPart,
  versionedParts,
} from './transaction.ts';

/**
 * What is stored after a change: the next version, which is also that of exactly the parts that changed, and a time that
 * rises. Undefined when nothing is different, because such a write changes nothing (WR-3).
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
    elementVersions: { ...before.elementVersions, ...versionsOf(changed, version) },
    updatedAtMs: Math.max(before.updatedAtMs + 1, now.getTime()),
  };
};

/**
 * A new transaction with what its creation enters (V1-6). Its first version is that of everything present, and partners
 * are notified of it, unless nothing but a location was sent: then it is an empty checkout, as one of get-or-create (EV-10).
 */
export const withEntries = (untouched: NewTransaction, change: TransactionChange): NewTransaction => {
  const transaction = applyChange(untouched.transaction, change);
  const entered = changedParts(untouched.transaction, transaction);
  return {
    ...untouched,
    transaction,
    elementVersions: { ...untouched.elementVersions, ...versionsOf(entered, untouched.version) },
    notifyFromVersion: sendsContent(change) ? 1 : untouched.notifyFromVersion,
  };
};

const versionsOf = (parts: readonly VersionedPart[], version: number) =>
  Object.fromEntries(parts.map((part) => [part, version]));

/** The parts in which two states of a transaction differ. The order of members is no difference. */
export const changedParts = (before: Transaction, after: Transaction): VersionedPart[] =>
  versionedParts.filter((part) => !isDeepStrictEqual(partOf(before, part), partOf(after, part)));

/** As it is shown: two states that show the same are the same to every reader (SHAPE-1). */
const partOf = (transaction: Transaction, part: VersionedPart) =>
  asStored(part === 'own' ? ownOf(transaction) : completeElement(part, transaction[part] ?? null));

const ownOf = (transaction: Transaction) =>
  Object.fromEntries(
    Object.entries(transaction).filter(([name]) => !(elementNames as readonly string[]).includes(name)),
  );

/** As it will be read again: -0, for one, is stored as 0. */
const asStored = (value: JsonValue): unknown => JSON.parse(JSON.stringify(value));
