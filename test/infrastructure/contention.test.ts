import { expect, test } from '@jest/globals';
import { shareOf } from '../bench/contention/scenarios.ts';

test.each([
  ['three addresses', 99.9],
  ['the same, and all others there too', 98.5],
  ['three addresses with a method override, all within one second of a minute', 98.5],
  ['three addresses that move, at one location', 99.9],
  ['three addresses that move, all within one second of a minute', 98.5],
  ['three addresses that delete, at one location', 99.9],
  ['three addresses that delete, all within one second of a minute', 98.5],
  ['three addresses that create and move, all within one second of a minute', 98.5],
] as const)(
  'S-79 S-85 S-86 of the honest writes of a group beside %s at least %d %% are taken',
  async (name, least) => {
    const { taken, writes } = await shareOf(name);

    expect(writes).toBe(3_000);
    expect(taken).toBeGreaterThanOrEqual(least);
  },
);
