import type { Storefront } from '../../../functions/shared/domain/ownership/storefront.ts';

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
