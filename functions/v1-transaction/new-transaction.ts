import type { Outcome } from '../shared/domain/outcome.ts';
import type { NdMeta } from '../shared/domain/ownership/owner.ts';
import {
  decideOwnership,
  type OwnershipClaim,
  type OwnershipRefusal,
} from '../shared/domain/ownership/ownership.ts';
import type { OriginEvent } from '../shared/middleware/cors.ts';
import type { EstateStore } from '../shared/store/storefronts/storefront-store.ts';

export type OwnershipDeps = { estate: Pick<EstateStore, 'stageDefault'> };

/** Where the request's transaction belongs, by its origin and what it claims (OWN-1). */
export const ownerOf = async (
  { storefronts }: Pick<OriginEvent, 'storefronts'>,
  claim: OwnershipClaim,
  { estate }: OwnershipDeps,
): Promise<Outcome<NdMeta, OwnershipRefusal>> => {
  const stageDefault = storefronts.length === 0 ? await estate.stageDefault() : undefined;
  return decideOwnership(claim, { ofOrigin: storefronts, stageDefault });
};

/** What a caller without a storefront is told. */
export const noStorefront = 'No storefront for this origin and location is registered.';
