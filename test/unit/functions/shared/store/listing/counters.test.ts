import { expect, test } from '@jest/globals';
import { rootLevel } from '../../../../../../functions/shared/domain/listing/radix.ts';
import { type Rollup, rollupsOfOwner } from '../../../../../../functions/shared/domain/ownership/rollup.ts';
import { createCounterReader } from '../../../../../../functions/shared/store/listing/counters.ts';
import { counterKey } from '../../../../../../functions/shared/store/listing/keys.ts';
import { productionSettings } from '../../../../../../functions/shared/store/listing/settings.ts';
import { anOwner } from '../../../../../support/builders/transactions.ts';

const root = { level: rootLevel, item: 0 } as const;
const skOf = (rollup: Rollup) => counterKey(rollup, root, 0).sk;
/** In the order of their counters. */
const locations = Array.from({ length: 600 }, (_, n) =>
  rollupsOfOwner(anOwner({ location: `l${n}` })).slice(2),
)
  .flat()
  .toSorted((one, other) => (skOf(one) < skOf(other) ? -1 : 1));
const rows = locations.map((rollup, n) => ({ ...counterKey(rollup, root, 0), n }));

type Query = { input: { ExpressionAttributeValues: Record<string, string>; Limit?: number } };

/** A table that answers Queries of counters as DynamoDB does, and counts them. */
const aTable = () => {
  const asked: (number | 'all')[] = [];
  const send = async ({ input: { ExpressionAttributeValues: values, Limit } }: Query) => {
    asked.push(Limit ?? 'all');
    const found = rows.filter(({ sk }) => sk.startsWith(values[':prefix'] ?? ''));
    return { Items: found.slice(0, Limit) };
  };
  const retryDelays = { random: () => 0, sleep: async () => {} };
  const access = { documents: { send }, listingTable: 'Listing', settings: productionSettings, retryDelays };
  return { asked, read: createCounterReader(access as never) };
};

test('STO-4 more counters of a group than a read is worth are read by their rollups, and none is missing', async () => {
  const { asked, read } = aTable();
  const wanted = locations.slice(-9);

  const counters = await read({ ...root, rollups: wanted });

  expect(wanted.map(({ id }) => counters.get(id)?.n)).toEqual([591, 592, 593, 594, 595, 596, 597, 598, 599]);
  // 55 for each of nine rollups, then each by itself.
  expect(asked).toEqual([495, ...Array(9).fill('all')]);
});
