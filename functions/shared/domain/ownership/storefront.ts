import type { NdMeta } from './owner.ts';

/** Algorithms of ID tokens that a provider's public key verifies (OpenID Connect Core 1.0 section 3.1.3.7). */
export const idTokenAlgorithms = ['RS256', 'PS256', 'ES256'] as const;
export type IdTokenAlgorithm = (typeof idTokenAlgorithms)[number];

/** The identity provider of a storefront's users, and the values that its ID tokens must have (V1-10). */
export type IdentityProvider = {
  /** The issuer, as in `iss`. Its key set is found by OpenID Connect Discovery. */
  issuer: string;
  /** The storefront's client id at the provider, as in `aud`. */
  audience: string;
  algorithm: IdTokenAlgorithm;
};

/** A registered owner of checkouts, and the web origins that use it (OWN-1). */
export type Storefront = {
  name: string;
  owner: NdMeta;
  /** Exact origins, for example `https://shop.example`. Empty for a storefront that only an import named (RUN-6). */
  origins: string[];
  /** A retired storefront takes no new checkouts. Its location stays readable (OWN-1). */
  retired: boolean;
  createdAtMs: number;
  /** Absent if its checkouts are anonymous only. */
  identityProvider?: IdentityProvider;
};
