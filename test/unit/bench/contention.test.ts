import { expect, test } from '@jest/globals';
import { shareOf } from '../../bench/contention/scenarios.ts';

test.each([
  ['three addresses', 99.9],
  ['the same, and all others there too', 98],
] as const)(
  'S-79 of the honest writes of a group beside %s at least %d %% are taken',
  async (name, least) => {
    const { taken, writes } = await shareOf(name);

    expect(writes).toBe(3_000);
    expect(taken).toBeGreaterThanOrEqual(least);
  },
);
