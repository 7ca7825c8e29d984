import { describe, expect, test } from '@jest/globals';
import { evaluate } from '../../simulation/checks/checks.ts';
import { explore } from '../../simulation/explorer/explore.ts';
import { scenarios } from '../../simulation/explorer/scenarios.ts';
import type { DirectedWorld } from '../../simulation/worlds/directed-world.ts';
import { directedWorlds, evaluateDirected } from '../../simulation/worlds/directed-worlds.ts';
import { comparePair, pairs } from '../../simulation/worlds/pairs.ts';
import { stormyWorld } from '../../simulation/worlds/storms.ts';
import { runWorld } from '../../simulation/worlds/world.ts';
import { randomWorld } from '../../simulation/worlds/worlds.ts';

describe('a random world of twenty transactions (npm run simulate runs hundreds)', () => {
  test.each([
    { mode: 'none', worstUpdatedMs: 140_000, worstCompletedMs: 2_000 },
    { mode: 'one', worstUpdatedMs: 180_000, worstCompletedMs: 30_000 },
    { mode: 'many', worstUpdatedMs: Number.POSITIVE_INFINITY, worstCompletedMs: Number.POSITIVE_INFINITY },
  ] as const)('I1 to I11, I13 to I20 and I23 hold with $mode of the faults', async ({ mode, ...limits }) => {
    const world = await runWorld(randomWorld(1, { mode, hours: 0.35 }));

    const { findings, worstUpdatedMs, worstCompletedMs } = evaluate(world);

    expect(findings).toEqual([]);
    expect(worstUpdatedMs).toBeLessThanOrEqual(limits.worstUpdatedMs);
    expect(worstCompletedMs).toBeLessThanOrEqual(limits.worstCompletedMs);
    expect(world.history.leases.length).toBeGreaterThan(20);
  });

  test('S-76 clocks that are wrong by five minutes lose, double and leak nothing', async () => {
    const clocks = { clockOffMs: 300_000, skewMs: 600_000, updatedWithinMs: Number.POSITIVE_INFINITY };
    const world = await runWorld({ ...randomWorld(3, { mode: 'many', hours: 0.35 }), ...clocks });

    const { findings } = evaluate(world);

    expect(findings).toEqual([]);
    expect(world.history.struck.filter(({ what }) => what === 'clock-off').length).toBeGreaterThan(100);
  });

  test('I7 I24 a storm of pauses, removals, replays and moves with many faults loses and doubles nothing', async () => {
    const { findings } = evaluate(await runWorld(stormyWorld(1, 'many')));

    expect(findings).toEqual([]);
  });

  test('the same seed gives the same result, byte for byte', async () => {
    const [one, other] = [
      await runWorld(randomWorld(2, { mode: 'many', hours: 0.15 })),
      await runWorld(randomWorld(2, { mode: 'many', hours: 0.15 })),
    ];

    expect(other.happened).toBe(one.happened);
    expect(JSON.stringify(other.history)).toBe(JSON.stringify(one.history));
  });
});

test.each([
  'S-77 nothing is sent, leased or owed while everything is stopped',
  'EV-13 what an address had is withheld before another one is set',
  'I7 a throttled partition of one partner sends nobody anything twice',
  'I24 what waits for a pass that was lost is sent within a day',
])('%s', async (title) => {
  const directed = directedWorlds.find((one) => one.title === title) as DirectedWorld;

  expect(await evaluateDirected(directed)).toEqual([]);
});

test('I23 EV-24 a backlog is worked off by as many workers as there may be, a due shard each', async () => {
  const backlog = directedWorlds.find(({ title }) => title.startsWith('EV-24')) as DirectedWorld;

  expect(await evaluateDirected(backlog)).toEqual([]);
});

// `npm run simulate` explores all of them.
test.each([
  'a dead letter that ends during a pause, and the resume',
  'a flush and a partner that is revoked',
  'a flush and a deletion',
])('I4 every order of the calls of %s ends well', async (name) => {
  const scenario = scenarios.find((one) => one.name === name);
  if (!scenario) throw new Error(`There is no scenario ${name}`);

  const { findings, orders } = await explore(scenario);

  expect(findings).toEqual([]);
  expect(orders).toBeGreaterThanOrEqual(10);
});

test.each(pairs.filter(({ title }) => /^(S-54|I15)/.test(title)))('$title', async (pair) => {
  expect(await comparePair(pair, 7)).toEqual([]);
});
