import { seedOfRun } from './random.ts';

/**
 * How often and from which seed a property runs: `SEED` replays it, `FUZZ_RUNS` is another number of cases, or `large` for
 * as many as CI tries with `npm run nightly -- properties`.
 */
export const propertyRun = (title: string, usualRuns: number, largeRuns = usualRuns) => {
  const wanted = process.env.FUZZ_RUNS ?? usualRuns;
  const numRuns = wanted === 'large' ? largeRuns : Number(wanted);
  return { seed: seedOfRun(`${title}, ${numRuns} cases`), numRuns };
};
