import type { Patch } from '../../patch.ts';

const judged = ['test/unit/bin/preflight/judge.test.ts'];
const seen = ['test/integration/preflight/account.test.ts'];

/** What is looked at before a deployment. */
export const patches: readonly Patch[] = [
  {
    id: 'preflight-quota',
    rule: 'D-08 a quota that is too small is open',
    file: 'bin/preflight/judge.ts',
    find: 'if (value >= needed)',
    put: 'if (value >= 0)',
    tests: judged,
  },
  {
    id: 'preflight-wildcard',
    rule: 'D-08 a wildcard of a certificate stands for one label',
    file: 'bin/preflight/judge.ts',
    find: "host.slice(host.indexOf('.') + 1) === name.slice(2)",
    put: 'host.endsWith(name.slice(1))',
    tests: judged,
  },
  {
    id: 'preflight-delegation',
    rule: 'D-08 a hosted zone that the world does not ask is open',
    file: 'bin/preflight/judge.ts',
    find: 'delegatedTo.includes(server)',
    put: 'server !== undefined',
    tests: judged,
  },
  {
    id: 'preflight-failed-stack',
    rule: 'D-08 a stack that never came to be is open',
    file: 'bin/preflight/judge.ts',
    find: '/^ROLLBACK_|',
    put: '/^NEVER_|',
    tests: judged,
  },
  {
    id: 'preflight-default-quotas',
    rule: 'D-08 a quota that was never raised is what every account has',
    file: 'bin/preflight/account.ts',
    find: 'return own ?? findQuota(',
    put: 'return own && findQuota(',
    tests: seen,
  },
  {
    id: 'preflight-unseen',
    rule: 'D-08 what may not be seen keeps nothing else from being seen',
    file: 'bin/preflight/looks.ts',
    find: 'look().catch((fault) => unknown(subject, fault))',
    put: 'look()',
    tests: seen,
  },
];
