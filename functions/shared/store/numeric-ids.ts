/** Numeric ids of payments and transactions: one sequence, unique, never reused, below 2^53 (ID-2). */
export type NumericIds = {
  next: () => Promise<number>;
  /** Ids that an import brings are taken: later ones are larger. */
  atLeast: (largest: number) => Promise<void>;
};
