import { applyChange, type Change } from '../transaction/change.ts';
import { changedParts } from '../transaction/next-state.ts';
import type { StoredTransaction } from '../transaction/transaction.ts';

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
