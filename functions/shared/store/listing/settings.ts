import { productionRadix, type Radix } from '../../domain/listing/radix.ts';
import { entriesPerUnit } from '../../domain/listing/read-plan.ts';

/** How the listing is cut, and when reading is cheaper than counting. */
export type ListingSettings = {
  radix: Radix;
  /** Counter items of a node at each place: with more of them, writes of one group conflict less often. */
  shards: number;
  /** Up to this many nodes, runs are read by themselves and counters by key. */
  fewNodes: number;
  /** Up to this many entries, reading is cheaper than another level of counters. */
  fewEntries: number;
  /** So many entries of a run cost one read unit. */
  unitEntries: number;
};

/** A counter item costs one read unit, and so do 56 entries: 100 of them cost what a level costs. */
export const productionSettings: ListingSettings = {
  radix: productionRadix,
  shards: 1,
  fewNodes: 16,
  fewEntries: 100,
  unitEntries: entriesPerUnit({ hasOwners: false }),
};
