import type { Patch } from '../../patch.ts';

/** What a stage does not pay for, and what the document of its cost says. */
export const patches: readonly Patch[] = [
  {
    id: 'cost-traced-looks',
    rule: 'D-30 only what callers wait for is traced',
    file: 'lib/constructs/service-function.ts',
    find: 'isTraced(props) ? Tracing.ACTIVE : Tracing.DISABLED',
    put: 'Tracing.ACTIVE',
    tests: ['test/infrastructure/functions.test.ts'],
  },
  {
    id: 'cost-method-metrics',
    rule: 'D-30 no method has metrics of its own',
    file: 'lib/constructs/rest-api.ts',
    find: 'metricsEnabled: false',
    put: 'metricsEnabled: true',
    tests: ['test/infrastructure/rest-apis.test.ts'],
  },
];
