import type { NdMeta } from './owner.ts';

/** One registered owner of checkouts and the web origins it is used from (OWN-1). */
export type Storefront = {
  name: string;
  owner: NdMeta;
  /** Exact origins, e.g. `https://shop.example`; empty for a storefront known only from an import (RUN-6). */
  origins: string[];
  /** A retired storefront takes no new checkouts; its location stays readable (OWN-1). */
  retired: boolean;
  createdAtMs: number;
};
