import { productionRadix, type Radix } from '../../domain/listing/radix.ts';

export type ListingSettings = {
  radix: Radix;
  /** Counter items a node has at each place; writes of one group meet less often (listing.md, "Contention"). */
  shards: number;
  /** Up to this many nodes, runs are read by themselves and counters by key. */
  fewNodes: number;
  /** Up to this many entries, reading is cheaper than another level of counters. */
  fewEntries: number;
};

/** 57 entries of about 72 bytes fill one read unit, a counter item is one: 100 entries cost what a level costs. */
export const productionSettings: ListingSettings = {
  radix: productionRadix,
  shards: 1,
  fewNodes: 16,
  fewEntries: 100,
};
