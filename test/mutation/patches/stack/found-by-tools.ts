import type { Patch } from '../../patch.ts';

/** What cfn-lint, checkov and cdk-nag found, and what was mended for it. */
export const patches: readonly Patch[] = [
  {
    id: 'collector-bounded',
    rule: 'S-42 dead letters take two executions at most',
    file: 'lib/constructs/dead-letter-collector.ts',
    find: '      scalingConfig: { maximumConcurrency: 2 },\n',
    put: '',
    tests: ['test/infrastructure/event-sources.test.ts'],
  },
];
