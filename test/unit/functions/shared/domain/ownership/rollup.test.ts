import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { covers, type Grant } from '../../../../../../functions/shared/domain/ownership/grant.ts';
import {
  groupsToExpand,
  type Owner,
  rollupsOfGrants,
  rollupsOfOwner,
} from '../../../../../../functions/shared/domain/ownership/rollup.ts';
import { propertyRun } from '../../../../../support/builders/property-run.ts';

const owner = (group: string, franchise: string, location: string): Owner => ({ group, franchise, location });
const asNdMeta = (values: Owner) => ({ ...values, branch: '', groupSoftware: null });

const groups = ['g1', 'g2'];
const franchises = ['f1', 'f2'];
const locations = ['l1', 'l2'];
const owners = groups.flatMap((group) =>
  franchises.flatMap((franchise) => locations.map((location) => owner(group, franchise, location))),
);
const membersOf = (group: string) => owners.filter((member) => member.group === group);

/** Every grant there is over these names, the empty ones included. */
const allGrants: Grant[] = [...groups, ''].flatMap((group) =>
  [undefined, ...franchises, ''].flatMap((franchise) =>
    [undefined, ...locations, ''].map((location) => ({
      group,
      ...(franchise !== undefined && { franchise }),
      ...(location !== undefined && { location }),
    })),
  ),
);

/** How often an owner is counted when the rollups' counts are added up. */
const timesCounted = (grants: readonly Grant[], who: Owner) => {
  const rollups = new Set(rollupsOfOwner(who).map(({ id }) => id));
  return rollupsOfGrants(grants, membersOf).filter(({ id }) => rollups.has(id)).length;
};

const timesCovered = (grants: readonly Grant[], who: Owner) => (covers(grants, asNdMeta(who)) ? 1 : 0);

test('any set of grants counts every owner once if it covers it, else not at all (GRANT-1)', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...allGrants), { maxLength: 12 }), (grants) => {
      for (const who of owners) expect(timesCounted(grants, who)).toBe(timesCovered(grants, who));
    }),
    propertyRun('sets of grants', 700, 5_000),
  );
}, 120_000);

test.each([
  { group: '' },
  { group: 'G', franchise: '' },
  { group: 'G', location: '' },
  { group: 'G', franchise: 'F', location: '' },
])('GRANT-1 an empty name matches nothing: %j counts no rollup and needs no members', (grant) => {
  const member = { franchise: 'F', location: '' };

  expect(rollupsOfGrants([grant], () => [member])).toEqual([]);
  expect(groupsToExpand([grant])).toEqual([]);
});

test('names are opaque: the same characters divided in another way are another rollup', () => {
  const ids = [
    owner('a', 'b', 'c'),
    owner('a","b', 'c', ''),
    owner('a', 'b","c', 'd'),
    owner('ab', 'c', ''),
  ].flatMap((who) => rollupsOfOwner(who).map(({ id }) => id));

  // Only the group `a` is there twice.
  expect(new Set(ids).size).toBe(ids.length - 1);
});

test('the id of a rollup never changes, because the listing uses it in keys', () => {
  expect(rollupsOfOwner(owner('group-a', 'franchise-a', 'location-a'))).toEqual([
    { id: 'vll9uc-OnSh', kind: 'group', groupId: 'vll9uc-OnSh' },
    { id: 'Ql3mhK5vAmZ', kind: 'franchise', groupId: 'vll9uc-OnSh' },
    { id: '6d5yGlChsm8', kind: 'location', groupId: 'vll9uc-OnSh' },
  ]);
});

test('members are read only for groups in which a grant names only a location', () => {
  const grants = [
    { group: 'g1', location: 'l1' },
    { group: 'g1', location: 'l2' },
    { group: 'g2', franchise: 'f1', location: 'l1' },
    { group: '', location: 'l1' },
  ];

  expect(groupsToExpand(grants)).toEqual(['g1']);
});
