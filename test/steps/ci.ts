import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/repository.ts';
import { changeChecks } from './checks.ts';
import { file, runLanes, script } from './steps.ts';

/** What guards a change. The stages mostly wait for their own clocks, so that the deployment has a core meanwhile. */
const lanes = [
  {
    test: { about: 'unit, infrastructure, integration, service', command: ['npm', 'test'] },
    'test:stage': script('test:stage', 'stages as processes'),
    guide: file("each block of the partners' guide", 'test/guide/run.ts'),
  },
  {
    ...changeChecks,
    synth: script('synth', 'the templates of every stage'),
    simulate: file(
      'events on a virtual clock, with faults',
      ...['test/simulation/run.ts', '--runs', '10', '--no-orders'],
    ),
    'test:deploy': script('test:deploy', 'the real templates on LocalStack'),
  },
];

const closingLine = await runLanes(lanes);
if (!existsSync(join(root, '../shared/data/wycheproof')))
  console.log('Not run: the Wycheproof vectors, ../shared/data/wycheproof is absent');
console.log(closingLine);
