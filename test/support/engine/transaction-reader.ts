import {
  createTransactionReader,
  type ReaderDeps,
  type TransactionReader,
} from '../../../functions/shared/store/transactions/reader.ts';

/** The reads of a store whose lists match their totals: one that does not is a fault of the test. */
export const readerWithoutDrift = (deps: Omit<ReaderDeps, 'onDrift'>): TransactionReader =>
  createTransactionReader({
    ...deps,
    onDrift: () => {
      throw new Error('A list did not match its total');
    },
  });
