import { execFileSync } from 'node:child_process';
import { root } from '../support/repository.ts';
import { checks } from './checks.ts';
import { runProgram } from './program.ts';
import { file, type Step } from './steps.ts';

/** Test files of jest, with the numbers of cases. */
const jest = (about: string, environment: Record<string, string>, ...words: string[]): Step => ({
  ...file(about, '--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--ci', ...words),
  environment,
});
const suite = (name: string, pattern: string) => ['--selectProjects', name, '--testPathPatterns', pattern];

/** Test files with properties, which run many more cases here (S-01). */
const withProperties = () => {
  const words = ['-rl', 'propertyRun(', 'test', '--include=*.test.ts'];
  return execFileSync('grep', words, { cwd: root, encoding: 'utf8' }).trim().split('\n');
};

await runProgram({
  name: 'nightly',
  description: 'Runs what takes long and rarely finds anything.',
  steps: {
    properties: jest('properties with many cases', { FUZZ_RUNS: 'large' }, ...withProperties()),
    lists: jest(
      '50,000 pages of lists against brute force',
      { LIST_PAGES: '50000', CHAOS_WRITES: '60' },
      ...suite('integration', 'listing.(pages|chaos)'),
    ),
    writes: jest(
      '500 random programs of writes, and all orders of two',
      { ORDERS: 'all', MODEL_PROGRAMS: '500', RACES: '200' },
      ...suite('integration', 'model.test|interleavings'),
    ),
    restores: jest('a restore of each table, and of all', {}, ...suite('night', 'restores')),
    pages: jest('each page of the documents in a browser', {}, ...suite('night', 'pages')),
    templates: checks.templates,
    guide: file("each block of the partners' guide", 'test/guide/run.ts'),
    clients: file('OAuth clients of other libraries while keys rotate', 'test/clients/run.ts'),
    collection: file('the collection of requests in Newman, Bruno and Insomnia', 'test/collection/run.ts'),
    generators: file('clients that OpenAPI generators make of the description', 'test/generators/run.ts'),
    receivers: file("the kit's receivers in PHP and Python, attacked", 'test/receivers/run.ts'),
    schemathesis: file('requests that Schemathesis generates', 'test/schemathesis/run.ts'),
    simulate: file('events on a virtual clock, with faults', 'test/simulation/run.ts'),
  },
});
