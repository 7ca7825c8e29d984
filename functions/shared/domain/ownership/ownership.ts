import { type Outcome, refuse, succeed } from '../outcome.ts';
import type { NdMeta } from './owner.ts';
import type { Storefront } from './storefront.ts';

/** The location and franchise that a V1 caller sends: free text that is only compared. */
export type OwnershipClaim = { location?: string; franchise?: string };

/** The storefronts that decide. */
export type OwnershipFacts = {
  /**
   * Registered for the request's `Origin`, including retired ones, in the order of registration. Empty for an unknown
   * origin.
   */
  ofOrigin: readonly Storefront[];
  stageDefault: Storefront | undefined;
};

export type OwnershipRefusal = 'no-storefront' | 'several-franchises';

/**
 * The storefronts that serve a request. For an unknown origin, the stage's default storefront, if there is one. The
 * origin of a retired storefront stays known, so its buyers do not become those of another group (OWN-1).
 */
export const openStorefronts = ({ ofOrigin, stageDefault }: OwnershipFacts): Storefront[] =>
  (ofOrigin.length > 0 ? ofOrigin : [stageDefault]).filter(isOpen);

/**
 * The owner of a new transaction (OWN-1). A named location must belong to a storefront that serves the request. Without
 * one, the first of them is the owner.
 */
export const decideOwnership = (
  claim: OwnershipClaim,
  facts: OwnershipFacts,
): Outcome<NdMeta, OwnershipRefusal> => {
  const [first, ...others] = openStorefronts(facts).filter(({ owner }) => isClaimed(claim, owner));
  if (!first) return refuse('no-storefront');
  if (claim.location !== undefined && others.some(({ owner }) => owner.franchise !== first.owner.franchise)) {
    return refuse('several-franchises');
  }
  return succeed(first.owner);
};

const isOpen = (storefront: Storefront | undefined): storefront is Storefront =>
  storefront !== undefined && !storefront.retired;

const isClaimed = ({ location, franchise }: OwnershipClaim, owner: NdMeta) =>
  (location === undefined || location === owner.location) &&
  (franchise === undefined || franchise === owner.franchise);
