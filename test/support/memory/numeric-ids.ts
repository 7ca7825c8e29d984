import type { NumericIds } from '../../../functions/shared/store/transactions/numeric-ids.ts';

/** Numeric ids from 1 on: a stand-in for tests. */
export const createMemoryNumericIds = (): NumericIds => {
  let largest = 0;
  return {
    next: async () => {
      largest += 1;
      return largest;
    },
    atLeast: async (taken) => {
      largest = Math.max(largest, taken);
    },
  };
};
