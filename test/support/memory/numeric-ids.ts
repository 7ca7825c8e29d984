import type { NumericIds } from '../../../functions/shared/store/transactions/numeric-ids.ts';

/** Numeric ids from 1 on: a stand-in for tests. */
export const createMemoryNumericIds = (): NumericIds => {
  let largest = 0;
  return {
    next: async (count = 1) => {
      largest += count;
      return largest - count + 1;
    },
    atLeast: async (taken) => {
      const former = Math.min(largest, taken);
      largest = Math.max(largest, taken);
      return former;
    },
  };
};
