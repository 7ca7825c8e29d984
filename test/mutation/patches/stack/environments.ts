import type { Patch } from '../../patch.ts';

/** Rules that keep environments, and the clocks of machines, from each other. */
export const patches: readonly Patch[] = [
  {
    id: 'source-of-another-stage',
    rule: 'S-63 every stage has an event source of its own',
    file: 'lib/config.ts',
    find: "eventSource: 'svc.staging.online-payments'",
    put: "eventSource: 'svc.production.online-payments'",
    tests: ['test/infrastructure/config.test.ts'],
  },
  {
    id: 'clock-of-the-machine',
    rule: 'S-76 the clock of the machine is asked in one place',
    file: 'bin/smoke/run.ts',
    find: 'const results: Result[] = [];',
    put: 'const results: Result[] = Date.now() > 0 ? [] : [];',
    tests: ['test/unit/house.test.ts'],
  },
];
