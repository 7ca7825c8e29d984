import all from '../../jest.config.mjs';

/** Unit tests alone. Node keeps modules, so the environment names the mutant of each run. */
export default {
  ...all.projects.find(({ displayName }) => displayName === 'unit'),
  testMatch: [`<rootDir>/${process.env.MUTATION_TESTS}/**/*.test.ts`],
  // Instrumented code is slower, and runs beside itself.
  testTimeout: 60_000,
  testEnvironment: `${import.meta.dirname}/environment.mjs`,
};
