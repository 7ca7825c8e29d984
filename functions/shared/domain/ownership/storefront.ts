import type { NdMeta } from './owner.ts';

/** Algorithms of ID tokens: one that a provider's public key verifies (OpenID Connect Core 1.0 section 3.1.3.7). */
export const idTokenAlgorithms = ['RS256', 'PS256', 'ES256'] as const;
export type IdTokenAlgorithm = (typeof idTokenAlgorithms)[number];

/** Who signs in the users of a storefront, and what its ID tokens say (V1-10). */
export type IdentityProvider = {
  /** The issuer's identifier, as `iss` has it; its key set is found by OpenID Connect Discovery. */
  issuer: string;
  /** The storefront's client id at the provider, as `aud` has it. */
  audience: string;
  algorithm: IdTokenAlgorithm;
};

/** One registered owner of checkouts and the web origins it is used from (OWN-1). */
export type Storefront = {
  name: string;
  owner: NdMeta;
  /** Exact origins, e.g. `https://shop.example`; empty for a storefront known only from an import (RUN-6). */
  origins: string[];
  /** A retired storefront takes no new checkouts; its location stays readable (OWN-1). */
  retired: boolean;
  createdAtMs: number;
  /** Absent where its checkouts are anonymous only. */
  identityProvider?: IdentityProvider;
};
