import { isDeepStrictEqual } from 'node:util';
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
