import { type Outcome, refuse, succeed } from '../outcome.ts';
import { covers, type Grant } from './grant.ts';
import type { NdMeta } from './owner.ts';
import type { OwnershipClaim, OwnershipRefusal } from './ownership.ts';
import type { Storefront } from './storefront.ts';

/** Whether a change names another owner than the present one. A franchise alone means the same location (OWN-2). */
export const asksToMove = ({ location, franchise }: OwnershipClaim, owner: NdMeta | undefined): boolean =>
  (location !== undefined && location !== owner?.location) ||
  (franchise !== undefined && franchise !== owner?.franchise);

/** The owner that a change names. A franchise alone is completed with the present location. */
export const targetOf = (claim: OwnershipClaim, owner: NdMeta | undefined): OwnershipClaim => ({
  ...(owner && { location: owner.location }),
  ...claim,
});

/**
 * The target of a partner's move (OWN-2): an open storefront within the partner's scope. A storefront that does not
 * exist and one out of scope are refused alike.
 */
export const decideMove = (
  claim: OwnershipClaim,
  { grants, storefronts }: { grants: readonly Grant[]; storefronts: readonly Storefront[] },
): Outcome<NdMeta, OwnershipRefusal> => {
  const open = storefronts.filter(({ retired }) => !retired).map(({ owner }) => owner);
  const [first, ...others] = open.filter((owner) => isAt(claim, owner) && covers(grants, owner));
  if (!first) return refuse('no-storefront');
  return others.length > 0 ? refuse('several-franchises') : succeed(first);
};

const isAt = ({ location, franchise }: OwnershipClaim, owner: NdMeta) =>
  location === owner.location && (franchise === undefined || franchise === owner.franchise);
