import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/repository.ts';
import { checks } from './checks.ts';
import { runLanes } from './steps.ts';

/** What guards a change. The stages mostly wait for their own clocks, so that the deployment has a core meanwhile. */
const lanes = [
  {
    test: { about: 'unit, infrastructure, integration, e2e', command: ['npm', 'test'] },
    'test:stage': {
      about: 'stages as processes',
      command: ['npm', 'run', '--silent', 'test:stage'],
    },
    guide: {
      about: "each block of the partners' guide",
      command: ['node', '--no-warnings', 'test/guide/run.ts'],
    },
  },
  {
    ...checks,
    synth: { about: 'the templates of every stage', command: ['npm', 'run', '--silent', 'synth'] },
    simulate: {
      about: 'events on a virtual clock, with faults',
      command: ['node', '--no-warnings', 'test/simulation/run.ts', '--runs', '10'],
    },
    'test:deploy': {
      about: 'the real templates on LocalStack',
      command: ['npm', 'run', '--silent', 'test:deploy'],
    },
  },
];

const closingLine = await runLanes(lanes);
if (!existsSync(join(root, '../shared/data/wycheproof')))
  console.log('Not run: the Wycheproof vectors, ../shared/data/wycheproof is absent');
if (spawnSync('java', ['-version']).error) console.log('Not run: test:deploy, there is no java on the PATH');
console.log(closingLine);
