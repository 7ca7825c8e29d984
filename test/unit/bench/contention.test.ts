import { describe, expect, test } from '@jest/globals';
import { modelled } from '../../bench/contention/modelled.ts';
import {
  before,
  deployed,
  type Scenario,
  scenarios,
  shareAt,
  shareOf,
} from '../../bench/contention/scenarios.ts';
import { createModelTable } from '../../bench/contention/table.ts';
import { createKernel } from '../../simulation/kernel/kernel.ts';
import { randomFrom } from '../../support/builders/random.ts';

const names = Object.keys(scenarios) as Scenario[];
/** Only where all honest writes are of the very location that bursts are aimed at does a write meet too many others. */
const worst: Scenario = 'the same, and all others there too';

describe('S-79 the model of contention, with the deployed shards, retries and rates', () => {
  test.each(names.filter((name) => name !== worst))(
    'S-79 at least 99.9 %% of the honest writes of a group are taken beside: %s',
    async (name) => {
      const { taken, atOnce, writes } = await shareOf(name, deployed);

      expect(writes).toBe(3_000);
      expect(taken).toBeGreaterThanOrEqual(99.9);
      expect([taken, atOnce]).toEqual(modelled.besides[name]);
    },
  );

  test('S-79 of one location’s own writes three bursts a minute at it refuse less than one in fifty', async () => {
    const { taken, atOnce } = await shareOf(worst, deployed);

    expect(taken).toBeGreaterThanOrEqual(98);
    expect([taken, atOnce]).toEqual(modelled.besides[worst]);
  });

  test('S-79 with one shard and the rate of all V1 requests, as it was, two of five honest writes of a group were refused', async () => {
    expect(await shareOf('three addresses', before, { seconds: 60 })).toEqual({
      ...{ writes: 300, taken: 54, atOnce: 8 },
    });
  });

  test('S-79 D-33 a group carries as many writes a second as come through at the first try, nine of ten', async () => {
    expect((await shareAt(modelled.groupCarries, deployed)).atOnce).toBeGreaterThanOrEqual(90);
    expect((await shareAt(modelled.groupCarries + 5, deployed)).atOnce).toBeLessThan(90);
    // Of a group with one location, whose counters are one item.
    expect((await shareAt(5, before)).atOnce).toBeGreaterThanOrEqual(90);
  });
});

test('the model refuses a write that meets another one on an item, and the other goes on', async () => {
  const kernel = createKernel();
  const { write } = createModelTable(kernel, randomFrom(1));
  const ends: string[] = [];
  const at = (atMs: number, name: string, items: string[]) =>
    kernel.at(atMs, () => {
      write(items).then(
        () => ends.push(`${name} taken`),
        ({ CancellationReasons }) => ends.push(`${name} ${CancellationReasons[0].Code}`),
      );
    });
  at(0, 'first', ['a', 'b']);
  at(5, 'meets it', ['b', 'c']);
  at(9, 'is kept off by that one', ['c']);
  at(9, 'is elsewhere', ['d']);
  at(100, 'comes later', ['a', 'b', 'c']);

  await kernel.run(1_000);

  expect(ends.sort()).toEqual([
    'comes later taken',
    'first taken',
    'is elsewhere taken',
    'is kept off by that one TransactionConflict',
    'meets it TransactionConflict',
  ]);
});
