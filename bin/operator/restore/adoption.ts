import type { ErasureCounts } from '../customers/erase.ts';
import type { OperatorDeps } from '../deps.ts';
import type { AdoptionNote } from '../store/recovery/recovery-store.ts';
import type { DebounceSummary } from './notified.ts';

/** The tables that may be restored, by the names that an operator types. */
export const restorableTables = ['transactions', 'listing', 'partners', 'debounce', 'requests'] as const;
export type RestorableTable = (typeof restorableTables)[number];

/** The results of an adoption, done or planned. */
export type AdoptionReport = {
  tables: RestorableTable[];
  /** Erased data that a restored table had brought back. */
  erasedAgain: ErasureCounts;
  /** All transactions of the table. */
  transactions: number;
  /** Transactions with an unseen new version, of which partners are not notified. */
  lifted: number;
  /** Transactions sent anew in one event, as if all of it had just changed. */
  notified: number;
  /** Transactions that partners were notified of and the table has lost: sent as deleted. */
  gone: string[];
  /** Transactions whose completing payment the table has lost. */
  completionsUndone: string[];
  /** Completions sent again, since no record says that they were sent. */
  completionsAgain: number;
  /** Partners that are sent again what the bus may have given up. */
  sentAgain: number;
  /** Removed idempotency records of undone writes: a repeated request writes again. */
  recordsForgotten: number;
  /** Repeated commands that take a right away. */
  commandsRepeated: number;
  byHand: ForPerson[];
  /** Partners whose tokens ended. */
  tokensEnded: number;
  listingMended: number;
};

/** A step left to a person, and its command where there is one: `['partner', 'enable', 'acme']`. */
export type ForPerson = { about: string; command?: string[] };

/** `step` reports progress. */
export type AdoptionDeps = OperatorDeps & { step: (about: string, done: number) => void };

/** One adoption under way. */
export type Adoption = {
  deps: AdoptionDeps;
  note: AdoptionNote;
  dryRun: boolean;
  summary: DebounceSummary;
  report: AdoptionReport;
};

/** Point-in-time recovery goes back 35 days at most. */
export const longestMs = 35 * 24 * 60 * 60 * 1000;

/** Whether the table was restored. */
export const wentBack = ({ note }: Pick<Adoption, 'note'>, table: RestorableTable): boolean =>
  note.tables.includes(table);

export const emptyReport = (tables: readonly RestorableTable[]): AdoptionReport => ({
  tables: [...tables],
  erasedAgain: { transactions: 0, copies: 0 },
  ...{ transactions: 0, lifted: 0, notified: 0, gone: [] },
  ...{ completionsUndone: [], completionsAgain: 0, sentAgain: 0 },
  ...{ recordsForgotten: 0, commandsRepeated: 0, byHand: [], tokensEnded: 0, listingMended: 0 },
});
