import type { Storefront } from '../../../functions/shared/domain/ownership/storefront.ts';

/**
 * Whether a new storefront of the same owner may replace this one: it is retired, or an import registered it without origins
 * (RUN-6).
 */
export const isAdoptable = ({ retired, origins }: Storefront) => retired || origins.length === 0;

/**
 * The storefront that replaces another of the same owner. It keeps branch and group software of an imported one, whose
 * transactions have them already; of a retired one it keeps the group software, unless the new one names another.
 */
export const takeOver = (storefront: Storefront, { owner, retired }: Storefront): Storefront => {
  const [first, second] = retired ? [storefront.owner, owner] : [owner, storefront.owner];
  const groupSoftware = first.groupSoftware || second.groupSoftware || '';
  return { ...storefront, owner: { ...first, groupSoftware } };
};
