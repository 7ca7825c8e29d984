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
 * The state after a change: the next version, which is also that of exactly the changed parts, and a later time.
 * Undefined if nothing differs, because such a write changes nothing (WR-3).
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
 * A new transaction with what its creation sent (V1-6). Its first version is that of all present parts. Partners are
 * notified of it, unless only a location was sent: then it is an empty checkout (EV-10).
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

/** The parts in which two states of a transaction differ. The order of members makes no difference. */
export const changedParts = (before: Transaction, after: Transaction): VersionedPart[] =>
  versionedParts.filter((part) => !isDeepStrictEqual(partOf(before, part), partOf(after, part)));

/** In the shape of answers: two states that are shown alike are equal (SHAPE-1). */
const partOf = (transaction: Transaction, part: VersionedPart) =>
  asStored(part === 'own' ? ownOf(transaction) : completeElement(part, transaction[part] ?? null));

const ownOf = (transaction: Transaction) =>
  Object.fromEntries(
    Object.entries(transaction).filter(([name]) => !(elementNames as readonly string[]).includes(name)),
  );

/** As it will be read again. For example, -0 is stored as 0. */
const asStored = (value: JsonValue): unknown => JSON.parse(JSON.stringify(value));
