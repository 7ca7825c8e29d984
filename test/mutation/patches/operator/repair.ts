import type { Patch } from '../../patch.ts';

const tests = ['test/unit/bin/operator/partners/repair-webhooks.test.ts'];
const file = 'bin/operator/partners/repair-webhooks.ts';

/** What `partner repair` makes, and when it does not. */
export const patches: readonly Patch[] = [
  {
    id: 'repair-nothing',
    rule: 'D-09 a repair makes what differs',
    file,
    find: 'if (!isDry) await ensureEndpoint(partner, deps);',
    put: '',
    tests,
  },
  {
    id: 'repair-dry',
    rule: 'D-09 a dry run changes nothing',
    file,
    find: 'if (!isDry) await',
    put: 'await',
    tests,
  },
  {
    id: 'repair-unrecorded',
    rule: 'S-28 a repair is recorded before it happens',
    file: 'bin/operator/commands/partner-repair.ts',
    find: "if (!dryRun) await context.record('partner repair', { partners: name ?? 'all' });",
    put: '',
    tests,
  },
];
