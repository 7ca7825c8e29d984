import type { LedgerStore } from '../../../functions/shared/store/debounce/ledger-store.ts';

/** The same ledger for a dry run: what would be sent again is found and counted, and no delivery moves. */
export const withoutMoves = <Ledger extends Pick<LedgerStore, 'move'>>(ledger: Ledger): Ledger => ({
  ...ledger,
  move: async () => true,
});
