import { seedOfRun } from './random.ts';

/** How often and from which seed a property runs; `SEED` replays it, `FUZZ_RUNS` widens it. */
export const propertyRun = (title: string, usualRuns: number) => {
  const numRuns = Number(process.env.FUZZ_RUNS ?? usualRuns);
  return { seed: seedOfRun(`${title}, ${numRuns} cases`), numRuns };
};
