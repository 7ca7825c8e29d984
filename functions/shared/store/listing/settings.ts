import { productionRadix, type Radix } from '../../domain/listing/radix.ts';

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

/** 56 entries of about 72 bytes fill one read unit, a counter item is one: 100 entries cost what a level costs. */
export const productionSettings: ListingSettings = {
  radix: productionRadix,
  shards: 1,
  fewNodes: 16,
  fewEntries: 100,
  unitEntries: 56,
};
