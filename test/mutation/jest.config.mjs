import all from '../../jest.config.mjs';

/** Unit tests alone. Node keeps modules, so the environment names the mutant of each run. */
export default {
  ...all.projects.find(({ displayName }) => displayName === 'unit'),
  testEnvironment: `${import.meta.dirname}/environment.mjs`,
};
