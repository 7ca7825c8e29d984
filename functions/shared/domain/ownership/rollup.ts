import { hash } from 'node:crypto';
import type { Grant } from './grant.ts';

const rollupKinds = ['group', 'franchise', 'location'] as const;
export type RollupKind = (typeof rollupKinds)[number];

/** A rollup of the ownership tree, which the listing counts: a group, one of its franchises, or a location of that. */
export type Rollup = {
  id: string;
  kind: RollupKind;
  /** Id of the group's rollup, which is the partition of its counters. */
  groupId: string;
};

export type Owner = { group: string; franchise: string; location: string };
/** A franchise and location that are registered in a group. */
export type GroupMember = { franchise: string; location: string };

export const idOfGroup = (group: string): string => idOf([group]);

export const idOfOwner = ({ group, franchise, location }: Owner): string =>
  idOf([group, franchise, location]);

/** A transaction belongs to three rollups: `g`, `g/f` and `g/f/l`. */
export const rollupsOfOwner = ({ group, franchise, location }: Owner): Rollup[] =>
  [[group], [group, franchise], [group, franchise, location]].map(rollupAt);

/**
 * The disjoint rollups that hold exactly what the grants cover (GRANT-1), so that their counts can be added. `members`
 * are those of the groups in which a grant names a location without a franchise.
 */
export const rollupsOfGrants = (
  grants: readonly Grant[],
  membersOf: (group: string) => readonly GroupMember[],
): Rollup[] => {
  const paths = new Map(
    grants
      .filter(hasNoEmptyName)
      .flatMap((grant) => pathsOf(grant, membersOf))
      .map((path) => [keyOf(path), path]),
  );
  return [...paths.values()].filter((path) => !hasAncestorIn(paths, path)).map(rollupAt);
};

/** The groups whose members `rollupsOfGrants` needs. */
export const groupsToExpand = (grants: readonly Grant[]): string[] => [
  ...new Set(
    grants.filter((grant) => hasNoEmptyName(grant) && namesOnlyLocation(grant)).map(({ group }) => group),
  ),
];

const pathsOf = (grant: Grant, membersOf: (group: string) => readonly GroupMember[]): string[][] => {
  const { group, franchise, location } = grant;
  if (namesOnlyLocation(grant))
    return membersOf(group)
      .filter((member) => member.location === location)
      .map((member) => [group, member.franchise, member.location]);
  return [[group, franchise, location].filter((name) => name !== undefined)];
};

const namesOnlyLocation = ({ franchise, location }: Grant) =>
  franchise === undefined && location !== undefined;

/** An empty name matches nothing (`covers`). */
const hasNoEmptyName = ({ group, franchise, location }: Grant) =>
  group !== '' && franchise !== '' && location !== '';

const hasAncestorIn = (paths: ReadonlyMap<string, string[]>, path: string[]) =>
  path.slice(1).some((_, index) => paths.has(keyOf(path.slice(0, index + 1))));

const rollupAt = (path: string[]): Rollup => ({
  id: idOf(path),
  kind: rollupKinds[path.length - 1] as RollupKind,
  groupId: idOf(path.slice(0, 1)),
});

/** Names are opaque and may contain any character, so keys have 66 bits of a hash instead. */
const idOf = (path: string[]) => hash('sha256', keyOf(path), 'base64url').slice(0, 11);

const keyOf = (path: string[]) => JSON.stringify(path);
