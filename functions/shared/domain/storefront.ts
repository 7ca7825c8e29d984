import type { NdMeta } from './transaction.ts';

/** One registered owner of checkouts and the web origins it is used from (contract 1, OWN-1). */
export type Storefront = {
  name: string;
  owner: NdMeta;
  /** Exact origins, e.g. `https://shop.example`; empty for an estate member known only from an import (RUN-6). */
  origins: string[];
  /** A retired storefront takes no new checkouts; its location stays part of the estate (OWN-1). */
  retired: boolean;
  createdAtMs: number;
};
