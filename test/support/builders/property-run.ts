import { numberVariable } from '../run/numbers.ts';
import { seedOfRun } from './random.ts';

/**
 * How often and from which seed a property runs: `SEED` replays it, `FUZZ_RUNS` is another number of cases, or `large` for
 * as many as CI tries with `npm run nightly -- properties`.
 */
export const propertyRun = (title: string, usualRuns: number, largeRuns = usualRuns) => {
  const numRuns = process.env.FUZZ_RUNS === 'large' ? largeRuns : numberVariable('FUZZ_RUNS', usualRuns);
  return { seed: seedOfRun(`${title}, ${numRuns} cases`), numRuns };
};
