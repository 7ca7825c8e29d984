import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Grant } from '../../../../functions/shared/domain/ownership/grant.ts';
import type { NdMeta } from '../../../../functions/shared/domain/ownership/owner.ts';
import type { Transaction } from '../../../../functions/shared/domain/transaction/transaction.ts';
import { aV2Read } from '../../../support/apis/v2-read.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { propertyRun } from '../../../support/builders/property-run.ts';
import { anOwner, uuidOf } from '../../../support/builders/transactions.ts';

type Placed = { n: number; changes: Partial<Transaction>; owner: NdMeta };

const places = {
  group: fc.constantFrom('a', 'b'),
  franchise: fc.constantFrom('x', 'y'),
  location: fc.constantFrom('1', '2'),
};
const owner = fc.record(places).map(anOwner);
const grant = fc.record(places, { requiredKeys: ['group'] });

const grants = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Grant[]>([]) },
  { weight: 9, arbitrary: fc.array(grant, { minLength: 1, maxLength: 3 }) },
);

const changes = fc.record({
  status: fc.constantFrom<0 | 1>(0, 1),
  isDeleted: fc.constantFrom<0 | 1>(0, 0, 0, 1),
  vehicle: fc.constantFrom('S1', 'S2').map((ndstockid) => ({ identifiers: { ndstockid } })),
});
const world = fc.uniqueArray(fc.record({ n: fc.nat(40), changes, owner }), {
  minLength: 5,
  maxLength: 30,
  size: 'max',
  selector: ({ n }) => n,
});
const target = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', 'filter[status]=0&', 'filter[status]=1&', 'filter[identifiers][ndstockid]=S1&'),
      fc.constantFrom('', '', '', 'page=2&', 'page=9&'),
      fc.constantFrom('', 'per-page=1&', 'per-page=3&', 'expand=vehicle,ndMeta&'),
    )
    .map(([filter, page, size]) => `/api/v2/transaction?${filter}${page}${size}`),
  fc.nat(40).map((n) => `/api/v2/transaction?filter[uuid]=${uuidOf(n)}`),
  fc.nat(40).map((n) => `/api/v2/transaction/${uuidOf(n)}`),
);

/** GRANT-1 once more, in other words than the service's. */
const isSeen = (given: readonly Grant[], { group, franchise, location }: NdMeta) =>
  given.some(
    (one) =>
      one.group === group &&
      [undefined, franchise].includes(one.franchise) &&
      [undefined, location].includes(one.location),
  );

/** The same visible records in the same order, the hidden ones taken from another world and put between them. */
const withOtherHidden = (mine: readonly Placed[], other: readonly Placed[], given: readonly Grant[]) => {
  const visible = mine.filter((placed) => isSeen(given, placed.owner));
  const taken = new Set(visible.map(({ n }) => n));
  const hidden = other.filter((placed) => !isSeen(given, placed.owner) && !taken.has(placed.n));
  return visible
    .flatMap((placed, index) => [...hidden.slice(index, index + 1), placed])
    .concat(hidden.slice(visible.length));
};

const serving = (placed: readonly Placed[], grants: Grant[]) =>
  aV2Read({
    transactions: placed.map(({ n, changes, owner }) => ({ uuid: uuidOf(n), ...changes, ndMeta: owner })),
    partners: [aPartner({ grants })],
  });

test('GRANT-3 S-03 S-04 TH-05 in random worlds of up to 30 records, hidden records change no byte of any answer', async () => {
  let found = 0;

  await fc.assert(
    fc.asyncProperty(world, world, grants, target, async (mine, other, given, asked) => {
      const answer = await (await serving(mine, given)).ask(asked);
      const amongOthers = await (await serving(withOtherHidden(mine, other, given), given)).ask(asked);

      expect(amongOthers).toEqual(answer);
      if (answer.body.includes('"uuid"')) found += 1;
    }),
    propertyRun('pairs of worlds', 200, 2_000),
  );

  process.stdout.write(`answers with records in them: ${found}\n`);
  expect(found).toBeGreaterThan(0);
}, 120_000);

/** Of each of three records: absent, or in one of three places, incomplete or complete, of one vehicle. */
const states: (Pick<Placed, 'changes' | 'owner'> | undefined)[] = [
  undefined,
  ...(['a', 'b'] as const).flatMap((group) =>
    (['1', '2'] as const).flatMap((location) =>
      ([0, 1] as const).map((status) => ({
        changes: { status, vehicle: { identifiers: { ndstockid: 'S1' } } },
        owner: anOwner({ group, franchise: 'x', location }),
      })),
    ),
  ),
];
const smallWorlds: Placed[][] = states.flatMap((first) =>
  states.flatMap((second) =>
    states.map((third) =>
      [first, second, third].flatMap((state, n) => (state === undefined ? [] : [{ n, ...state }])),
    ),
  ),
);
const threePartners: Grant[][] = [
  [{ group: 'a' }],
  [{ group: 'a', location: '1' }],
  [
    { group: 'b', franchise: 'x' },
    { group: 'a', location: '2' },
  ],
];
const everyKindOfTarget = [
  '/api/v2/transaction?expand=vehicle,ndMeta',
  '/api/v2/transaction?per-page=1&page=2',
  '/api/v2/transaction?filter[status]=1',
  '/api/v2/transaction?filter[identifiers][ndstockid]=S1',
  ...[0, 1, 2].map((n) => `/api/v2/transaction/${uuidOf(n)}`),
];

test('S-04 in all worlds of three records, those with the same visible records get the same answers', async () => {
  const answers = new Map<string, string>();
  const differences: string[] = [];
  for (const placed of smallWorlds)
    for (const grants of threePartners) {
      const { ask } = await serving(placed, grants);
      const looks = JSON.stringify([grants, placed.filter(({ owner: of }) => isSeen(grants, of))]);
      for (const asked of everyKindOfTarget) {
        const answer = JSON.stringify(await ask(asked));
        const before = answers.get(looks + asked);
        if (before !== undefined && before !== answer) differences.push(`${looks} ${asked}`);
        answers.set(looks + asked, answer);
      }
    }

  expect(smallWorlds).toHaveLength(9 ** 3);
  expect(differences).toEqual([]);
}, 120_000);
