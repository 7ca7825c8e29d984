import type { Outcome } from '../../domain/outcome.ts';
import type { Storefront } from '../../domain/ownership/storefront.ts';

/** Registered storefronts; a retired one is kept for ever (OWN-1). One method an access pattern. */
export type StorefrontStore = {
  /** For V1 ownership: storefronts registered for a web origin, retired ones too, the first registered first. */
  ofOrigin: (origin: string) => Promise<Storefront[]>;
  /** For V1 ownership without a known origin: the stage's default storefront, if one is set. */
  stageDefault: () => Promise<Storefront | undefined>;
  /** For grants that name a location without a franchise, and for moves: all of a group, retired ones too. */
  ofGroup: (group: string) => Promise<Storefront[]>;
  /** For the operator's tool. */
  byName: (name: string) => Promise<Storefront | undefined>;
  all: () => Promise<Storefront[]>;
  /**
   * `isDefault` makes it the stage's default; within an origin the first registered is that origin's default. Answers what is
   * stored, which says of its owner what was known before (`takeOver`).
   */
  register: (
    storefront: Storefront,
    options?: { isDefault?: boolean },
  ) => Promise<Outcome<Storefront, 'name-taken' | 'owner-taken'>>;
  retire: (name: string) => Promise<Outcome<Storefront, 'not-found'>>;
};
