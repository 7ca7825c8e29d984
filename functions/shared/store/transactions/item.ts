import { elementNames, type StoredTransaction } from '../../domain/transaction/transaction.ts';
import { changedIn } from './changed-keys.ts';

/** A transaction in the Transactions table: one item, with each element as JSON text under its own name. */
export type TransactionItem = Record<string, unknown>;

/**
 * Text keeps the order of members and the spelling of numbers. `status` and `isDeleted` are attributes for conditions
 * and streams, `changedIn` for its index.
 */
export const toItem = (stored: StoredTransaction): TransactionItem => {
  const { transaction, ...facts } = stored;
  const { uuid, status, isDeleted, ...rest } = transaction;
  const own = Object.fromEntries(Object.entries(rest).filter(([name]) => !isElement(name)));
  const elements = elementNames
    .filter((name) => transaction[name] !== undefined)
    .map((name) => [name, JSON.stringify(transaction[name])]);
  return {
    uuid,
    status,
    isDeleted,
    own: JSON.stringify(own),
    ...Object.fromEntries(elements),
    ...facts,
    ...indexed(stored),
  };
};

const indexed = (stored: StoredTransaction) => {
  const partition = changedIn(stored);
  return partition === undefined ? {} : { changedIn: partition };
};

/** The inverse of `toItem`. Only this module writes such items, so their shape is trusted. */
export const fromItem = (item: TransactionItem): StoredTransaction => {
  const { uuid, status, isDeleted, own, changedIn: _, ...facts } = item;
  const transaction: Record<string, unknown> = { uuid, status, ...JSON.parse(String(own)), isDeleted };
  for (const name of elementNames) {
    if (facts[name] === undefined) continue;
    transaction[name] = JSON.parse(String(facts[name]));
    delete facts[name];
  }
  return { transaction, ...facts } as unknown as StoredTransaction;
};

const isElement = (name: string) => (elementNames as readonly string[]).includes(name);
