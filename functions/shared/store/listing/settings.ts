import { productionRadix, type Radix } from '../../domain/listing/radix.ts';
import { entriesPerUnit } from '../../domain/listing/read-units.ts';
import type { RollupKind } from '../../domain/ownership/rollup.ts';

/** How the listing is cut, and when reading is cheaper than counting. */
export type ListingSettings = {
  radix: Radix;
  /** Counter items of a rollup at each place, by its kind: a write adds to one of them. Readers need not know how many. */
  shards: Record<RollupKind, number>;
  /** Up to this many rollups, runs are read by themselves. */
  fewRollups: number;
  /** Up to this many entries, reading is cheaper than another level of counters. */
  fewEntries: number;
  /** So many entries of a run cost one read unit. */
  unitEntries: number;
};

/**
 * A rollup's counters at a place cost one read unit, and so do 56 entries: 100 of them cost what a level costs. Every write
 * of a group meets the others at the group's counters, few at a location's, and wide scopes read many locations.
 */
export const productionSettings: ListingSettings = {
  radix: productionRadix,
  shards: { group: 8, franchise: 4, location: 1 },
  fewRollups: 16,
  fewEntries: 100,
  unitEntries: entriesPerUnit({ hasOwners: false }),
};
