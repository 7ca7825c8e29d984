import type { NdMeta } from './owner.ts';

/** A group, optionally narrowed to a franchise, to a location, or to both. */
export type Grant = { group: string; franchise?: string; location?: string };

/**
 * The one rule of visibility (GRANT-1): a transaction is seen when every dimension that some grant names is
 * equal. No grant, a grant without a group, or no ownership: nothing is seen.
 */
export const covers = (grants: readonly Grant[], owner: NdMeta | undefined): boolean =>
  owner !== undefined && grants.some((grant) => matches(grant, owner));

const matches = (grant: Grant, owner: NdMeta) =>
  isNamed(grant.group) &&
  grant.group === owner.group &&
  equalWhereNamed(grant.franchise, owner.franchise) &&
  equalWhereNamed(grant.location, owner.location);

const isNamed = (value: string | undefined) => typeof value === 'string' && value !== '';

/** An empty name matches nothing: only an absent dimension is unrestricted. */
const equalWhereNamed = (wanted: string | undefined, actual: string) =>
  wanted === undefined || (isNamed(wanted) && wanted === actual);
