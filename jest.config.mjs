const native = {
  runtime: '<rootDir>/test/support/run/native/runtime.ts',
  testEnvironment: '<rootDir>/test/support/run/native/environment.mjs',
};

/** One project a tier; the tiers differ in what they may touch (test/README.md). */
const tier = (name) => ({
  displayName: name,
  rootDir: import.meta.dirname,
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  // Installed tools and sandboxes of mutation tests have packages of the same names.
  modulePathIgnorePatterns: ['<rootDir>/.local/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  ...native,
});

export default {
  // Two cores, and some tests start processes: what hangs is still told within half a minute. Many cases take longer.
  testTimeout: process.env.FUZZ_RUNS ? 600_000 : 30_000,
  maxWorkers: 2,
  // A busy machine takes longer than half a second to give back what a worker held; what leaks is still told.
  workerGracefulExitTimeout: 10_000,
  // The run's own temporary folder: what is left there at the end fails the run.
  globalSetup: './test/support/run/setup.mjs',
  globalTeardown: './test/support/run/teardown.mjs',
  projects: [
    tier('unit'),
    tier('infrastructure'),
    tier('integration'),
    tier('service'),
    tier('stage'),
    tier('night'),
  ],
};
