import { productionRadix, type Radix } from '../../domain/listing/radix.ts';
import { entriesPerUnit } from '../../domain/listing/read-units.ts';
import type { RollupKind } from '../../domain/ownership/rollup.ts';

/** The shape of the listing, and when reading entries is cheaper than reading counters. */
export type ListingSettings = {
  radix: Radix;
  /**
   * Shards of a rollup's counters at each place, by its kind. A write adds to one of them. Readers do not depend on the
   * number.
   */
  shards: Record<RollupKind, number>;
  /** Up to this many rollups, each run is read by itself. */
  fewRollups: number;
  /** Up to this many entries, reading them is cheaper than another level of counters. */
  fewEntries: number;
  /** This many entries of a run cost one read unit. */
  unitEntries: number;
};

/**
 * A rollup's counters at a place cost one read unit, as much as 56 entries. Every write of a group meets the others at
 * the group's counters, and few meet at a location's, while wide scopes read many locations.
 */
export const productionSettings: ListingSettings = {
  radix: productionRadix,
  shards: { group: 8, franchise: 4, location: 1 },
  fewRollups: 16,
  fewEntries: 100,
  unitEntries: entriesPerUnit({ hasOwners: false }),
};
