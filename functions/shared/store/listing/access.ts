import type { ChildCount, PageRequest, ReadRange } from '../../domain/listing/read-plan.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import type { ListingSettings } from './settings.ts';

/** What lists are read with: the table, its settings, and what this process has seen so far. */
export type ListingAccess = TableAccess<'listingTable'> & { settings: ListingSettings; hints: ReadHints };

/** What earlier reads of this process have seen; it only helps to guess what to read, never to answer. */
export type ReadHints = { groupSizes: GroupSizes; lists: Map<string, ListHints>; pages: SeenPages };

export const noReadHints = (): ReadHints => ({ groupSizes: new Map(), lists: new Map(), pages: new Map() });

/**
 * How many counter items a kind of a group's nodes has at a level, as far as this process has seen; infinite when it was
 * too many to read.
 */
type GroupSizes = Map<string, number>;

/**
 * How long a list was, how much of it lay where below the first item of level 2, and the page that was found by counters
 * last, with where its entries lay.
 */
export type ListHints = {
  totalCount?: number;
  children?: ChildCount[];
  walked?: { wanted: PageRequest; ranges: ReadRange[] };
};

/** Which transactions stood on a page, by uuid. */
type SeenPages = Map<string, readonly string[]>;
