import { execFileSync } from 'node:child_process';
import { root } from '../support/repository.ts';
import { runProgram } from './program.ts';

const jest = ['node', '--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', '--ci'];

/** Test files with properties, which run many more cases here (S-01). */
const withProperties = () =>
  execFileSync('grep', ['-rl', 'propertyRun(', 'test', '--include=*.test.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
    .trim()
    .split('\n');

await runProgram({
  name: 'nightly',
  description: 'Runs what takes long and rarely finds anything.',
  steps: {
    properties: {
      about: 'properties with many cases',
      command: [...jest, ...withProperties()],
      environment: { FUZZ_RUNS: 'large' },
    },
    lists: {
      about: '50,000 pages of lists against brute force',
      command: [...jest, '--selectProjects', 'integration', '--testPathPatterns', 'listing.(pages|chaos)'],
      environment: { LIST_PAGES: '50000', CHAOS_WRITES: '60' },
    },
    writes: {
      about: '500 random programs of writes, and all orders of two',
      command: [...jest, '--selectProjects', 'integration', '--testPathPatterns', 'model.test|interleavings'],
      environment: { ORDERS: 'all', MODEL_PROGRAMS: '500', RACES: '200' },
    },
    restores: {
      about: 'a restore of each table',
      command: [...jest, '--selectProjects', 'stage', '--testPathPatterns', 'recovery'],
      environment: { RESTORES: 'each' },
    },
    guide: {
      about: "each block of the partners' guide",
      command: ['node', '--no-warnings', 'test/guide/run.ts'],
    },
    clients: {
      about: 'OAuth clients of other libraries while keys rotate',
      command: ['node', 'test/clients/run.ts'],
    },
    collection: {
      about: 'the collection of requests in Newman, Bruno and Insomnia',
      command: ['node', '--no-warnings', 'test/collection/run.ts'],
    },
    generators: {
      about: 'clients that OpenAPI generators make of the description',
      command: ['node', '--no-warnings', 'test/generators/run.ts'],
    },
    receivers: {
      about: "the kit's receivers in PHP and Python, attacked",
      command: ['node', '--no-warnings', 'test/receivers/run.ts'],
    },
    schemathesis: {
      about: 'requests that Schemathesis generates',
      command: ['node', 'test/schemathesis/run.ts'],
    },
    events: {
      about: 'the whole stage is killed while it sends',
      command: ['node', 'test/stage/kills/run.ts'],
    },
    simulate: {
      about: 'events on a virtual clock, with faults',
      command: ['node', '--no-warnings', 'test/simulation/run.ts'],
    },
  },
});
