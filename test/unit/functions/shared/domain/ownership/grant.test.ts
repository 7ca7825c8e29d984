import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  coveringGrants,
  covers,
  type Grant,
} from '../../../../../../functions/shared/domain/ownership/grant.ts';
import { propertyRun } from '../../../../../support/builders/property-run.ts';

const owner = { group: 'G', franchise: 'F', branch: 'B', location: 'L', groupSoftware: null };

/** The truth table of GRANT-1 (S-07): the dimensions that a grant names, and whether it sees G/F/L. */
const truthTable: [string, Grant[], boolean][] = [
  ['no grant', [], false],
  ['an empty grant', [{} as Grant], false],
  ['an empty group', [{ group: '' }], false],
  ['its group', [{ group: 'G' }], true],
  ['another group', [{ group: 'g' }], false],
  ['its franchise', [{ group: 'G', franchise: 'F' }], true],
  ['another franchise', [{ group: 'G', franchise: 'X' }], false],
  ['an empty franchise', [{ group: 'G', franchise: '' }], false],
  ['its location', [{ group: 'G', location: 'L' }], true],
  ['another location', [{ group: 'G', location: 'X' }], false],
  ['its franchise and location', [{ group: 'G', franchise: 'F', location: 'L' }], true],
  ['its franchise, another location', [{ group: 'G', franchise: 'F', location: 'X' }], false],
  ['another franchise, its location', [{ group: 'G', franchise: 'X', location: 'L' }], false],
  ['its franchise in another group', [{ group: 'X', franchise: 'F', location: 'L' }], false],
  ['a union in which one grant matches', [{ group: 'X' }, { group: 'G', location: 'L' }], true],
  [
    'a union in which no grant matches',
    [
      { group: 'G', franchise: 'X' },
      { group: 'G', location: 'X' },
    ],
    false,
  ],
];

describe('GRANT-1 S-07 TH-06 visibility', () => {
  test.each(truthTable)('%s', (_name, grants, seen) => {
    expect(covers(grants, owner)).toBe(seen);
  });

  test('S-05 no grant covers a transaction without an owner', () => {
    expect(covers([{ group: 'G' }], undefined)).toBe(false);
  });

  test.each<[string, Grant, Partial<typeof owner>]>([
    ['group', { group: '' }, { group: '' }],
    ['group at all', {} as Grant, { group: undefined as unknown as string }],
    ['franchise', { group: 'G', franchise: '' }, { franchise: '' }],
    ['location', { group: 'G', location: '' }, { location: '' }],
  ])('an empty grant matches no empty owner either: no %s', (_name, grant, part) => {
    expect(covers([grant], { ...owner, ...part })).toBe(false);
  });
});

describe('GRANT-4 the grants that cover an owner', () => {
  test.each<[string, Partial<typeof owner>, Grant[]]>([
    [
      'are four',
      {},
      [
        { group: 'G' },
        { group: 'G', franchise: 'F' },
        { group: 'G', location: 'L' },
        { group: 'G', franchise: 'F', location: 'L' },
      ],
    ],
    ['are two without a franchise', { franchise: '' }, [{ group: 'G' }, { group: 'G', location: 'L' }]],
    ['are none without a group', { group: '' }, []],
  ])('%s', (_name, part, grants) => {
    expect(coveringGrants({ ...owner, ...part })).toEqual(grants);
  });

  test('there are none without an owner', () => {
    expect(coveringGrants(undefined)).toEqual([]);
  });

  test('they are exactly those that make an owner visible', () => {
    const name = fc.constantFrom('a', 'b', '');
    const grants = fc.record({ group: name, franchise: name, location: name }, { requiredKeys: ['group'] });
    const owners = fc.record({ group: name, franchise: name, location: name });
    const textOf = ({ group, franchise, location }: Grant) => JSON.stringify({ group, franchise, location });

    fc.assert(
      fc.property(grants, owners, (grant, place) => {
        const asked = { ...owner, ...place };
        expect(coveringGrants(asked).map(textOf).includes(textOf(grant))).toBe(covers([grant], asked));
      }),
      propertyRun('grants and the owners that they cover', 1_000, 5_000),
    );
  });
});
