import type { ErasureCounts } from '../customers/erase.ts';
import type { OperatorDeps } from '../deps.ts';
import type { AdoptionNote } from '../store/recovery/recovery-store.ts';
import type { Notified } from './notified.ts';

/** The tables that may be restored, by the names that an operator types. */
export const restorableTables = ['transactions', 'listing', 'partners', 'debounce', 'requests'] as const;
export type RestorableTable = (typeof restorableTables)[number];

/** What was done, or would be done. */
export type AdoptionReport = {
  tables: RestorableTable[];
  /** What customers had erased, and a restored table brought back. */
  erasedAgain: ErasureCounts;
  /** What the Transactions table has. */
  transactions: number;
  /** Got a version that nobody has seen, and nothing is sent about it. */
  lifted: number;
  /** Is sent anew, in one event, as if all of it had just changed. */
  notified: number;
  /** Partners were notified of them, and they are no more: sent as deleted. */
  gone: string[];
  /** A payment had completed them, which the table does not know any more. */
  completionsUndone: string[];
  /** Of those and of deleted transactions, completions that would still have been sent, and are not. */
  completionsWithheld: number;
  /** Completions that may not have reached everybody, and are sent again. */
  completionsAgain: number;
  /** For how many transactions a partner is sent again what was to be sent, or what the bus may have given up since. */
  sentAgain: number;
  /** Idempotency records of writes that went back: a repeated request is carried out. */
  recordsForgotten: number;
  /** Commands that took a right away, and were carried out again. */
  commandsRepeated: number;
  byHand: ForPerson[];
  /** Partners whose tokens ended. */
  tokensEnded: number;
  listingMended: number;
};

/** What is left to a person, and the command that does it where there is one: `['partner', 'enable', 'acme']`. */
export type ForPerson = { about: string; command?: string[] };

/** What an adoption works with. */
export type AdoptionDeps = OperatorDeps & { step: (about: string, done: number) => void };

/** One adoption under way. */
export type Adoption = {
  deps: AdoptionDeps;
  note: AdoptionNote;
  dryRun: boolean;
  notified: ReadonlyMap<string, Notified>;
  /** The Debounce table is of this time or later. */
  deliveryLogToMs: number;
  report: AdoptionReport;
};

/** A table goes back 35 days at most. */
export const longestMs = 35 * 24 * 60 * 60 * 1000;

/** Whether a table is one of those that went back. */
export const wentBack = ({ note }: Pick<Adoption, 'note'>, table: RestorableTable): boolean =>
  note.tables.includes(table);

export const emptyReport = (tables: readonly RestorableTable[]): AdoptionReport => ({
  tables: [...tables],
  erasedAgain: { transactions: 0, copies: 0 },
  ...{ transactions: 0, lifted: 0, notified: 0, gone: [] },
  ...{ completionsUndone: [], completionsWithheld: 0, completionsAgain: 0, sentAgain: 0 },
  ...{ recordsForgotten: 0, commandsRepeated: 0, byHand: [], tokensEnded: 0, listingMended: 0 },
});
