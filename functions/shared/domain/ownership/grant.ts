import type { NdMeta } from './owner.ts';

/** A group, optionally narrowed to a franchise, to a location, or to both. */
export type Grant = { group: string; franchise?: string; location?: string };

/**
 * The one rule of visibility (GRANT-1): a transaction is visible if it matches every dimension that some grant names.
 * Without a grant, with a grant without a group, or without an owner, nothing is visible.
 */
export const covers = (grants: readonly Grant[], owner: NdMeta | undefined): boolean =>
  owner !== undefined && grants.some((grant) => matches(grant, owner));

/** All grants that cover an owner: its group, alone or narrowed to its franchise, its location, or both (GRANT-1). */
export const coveringGrants = (owner: NdMeta | undefined): Grant[] => {
  if (owner === undefined || !isNamed(owner.group)) return [];
  const { group, franchise, location } = owner;
  const narrowed = (grants: Grant[], narrower: Partial<Grant>, value: string): Grant[] =>
    isNamed(value) ? [...grants, ...grants.map((grant) => ({ ...grant, ...narrower }))] : grants;
  return narrowed(narrowed([{ group }], { franchise }, franchise), { location }, location);
};

const matches = (grant: Grant, owner: NdMeta) =>
  isNamed(grant.group) &&
  grant.group === owner.group &&
  equalWhereNamed(grant.franchise, owner.franchise) &&
  equalWhereNamed(grant.location, owner.location);

const isNamed = (value: string | undefined) => typeof value === 'string' && value !== '';

/** An empty name matches nothing. Only an absent dimension is unrestricted. */
const equalWhereNamed = (wanted: string | undefined, actual: string) =>
  wanted === undefined || (isNamed(wanted) && wanted === actual);
