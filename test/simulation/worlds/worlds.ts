import type { FaultMode } from '../kernel/faults.ts';
import { randomOf } from '../kernel/seeds.ts';
import { partnerPlan } from './partner-program.ts';
import { hotLife, lifeOf } from './program.ts';
import type { WorldPlan } from './world-plan.ts';

const minute = 60_000;
/** In each world. The hours of all worlds are counted as transaction-hours. */
const transactionsInWorld = 20;

/** After the last change and fault: ten minutes (I19), or as long as a lost record waits for the reconciler (I20). */
const restMs = 14 * minute;

/** A random world: callers, changes and faults, all from the seed. */
export const randomWorld = (seed: number, { mode, hours }: { mode: FaultMode; hours: number }): WorldPlan => {
  const random = randomOf(seed, 'world');
  const activeMs = Math.round(hours * 60 * minute);
  const isRestless = random.isTrue(0.7);
  const isFrail = mode !== 'none' && random.isTrue(0.6);
  const lives = Array.from({ length: transactionsInWorld }, (_, index) =>
    lifeOf(seed, `t${index}`, activeMs),
  );
  const hot = random.isTrue(0.1) ? [hotLife(seed, 'hot', { fromMs: 0, untilMs: activeMs / 2 })] : [];
  return {
    ...{ seed, mode, activeMs, restMs },
    acts: [...lives, ...hot].flat(),
    partners: Array.from({ length: random.integer(2, 6) }, (_, index) =>
      partnerPlan(seed, index, { untilMs: activeMs, isRestless, isFrail }),
    ),
    // Two rows are a backlog then, so that all that can go wrong befalls workers, too.
    ...(seed % 2 === 0 ? { duePage: 2 } : { light: { rows: 1 } }),
  };
};
