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

/**
 * A storefront that takes no checkouts (retired, or known only from an import) gives way to a storefront that is
 * registered for the same owner, so that an imported location can be given its origins (RUN-6).
 */
export const isAdoptable = ({ retired, origins }: Storefront) => retired || origins.length === 0;

/**
 * The storefront that takes the place of another one for the same owner. What an import made known of the owner stays: its
 * transactions say so already. Of a retired one only the group software stays, and that where no other is given.
 */
export const takeOver = (storefront: Storefront, { owner, retired }: Storefront): Storefront => {
  const [first, second] = retired ? [storefront.owner, owner] : [owner, storefront.owner];
  const groupSoftware = first.groupSoftware || second.groupSoftware || '';
  return { ...storefront, owner: { ...first, groupSoftware } };
};
