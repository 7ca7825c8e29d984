import type { Patch } from '../../patch.ts';

const guard = 'localstack/console/guard.ts';
const guarded = ['test/unit/localstack/console/guard.test.ts'];

/** The console of the embedded stage: who may use it, and what a page that was away hears. */
export const patches: readonly Patch[] = [
  {
    id: 'console-any-host',
    rule: 'RUN-11 a name that was led to this machine is another host',
    file: guard,
    find: "if (!isOwnHost(headers.host, gate)) return 'another host';",
    put: '',
    tests: guarded,
  },
  {
    id: 'console-any-page',
    rule: 'RUN-11 what browsers say of a request counts',
    file: guard,
    find: "if (isOfAnotherPage(request)) return 'another page';",
    put: '',
    tests: guarded,
  },
  {
    id: 'console-any-origin',
    rule: 'RUN-11 what changes something comes from the console’s own origin',
    file: guard,
    find: 'if (headers.origin !== `http:',
    put: 'if (false && headers.origin !== `http:',
    tests: guarded,
  },
  {
    id: 'console-no-token',
    rule: 'RUN-11 what changes something needs the token of the page',
    file: guard,
    find: "? undefined : 'no token'",
    put: '? undefined : undefined',
    tests: guarded,
  },
  {
    id: 'console-inline-script',
    rule: 'RUN-11 the page runs its own scripts alone',
    file: guard,
    find: "script-src 'self';",
    put: "script-src 'self' 'unsafe-inline';",
    tests: ['test/integration/localstack/console.test.ts'],
  },
  {
    id: 'console-forgets',
    rule: 'RUN-10 who was away hears what it missed',
    file: 'localstack/feed/feed.ts',
    find: 'return at === -1 ? undefined : entries.slice(at + 1);',
    put: 'return undefined;',
    tests: ['test/unit/localstack/feed/feed.test.ts'],
  },
  {
    id: 'console-reads-for-nobody',
    rule: 'RUN-10 while nobody looks, nothing is read',
    file: 'localstack/console/live-view.ts',
    find: 'while (isStale && followers.size > 0)',
    put: 'while (isStale)',
    tests: ['test/unit/localstack/console/live-view.test.ts'],
  },
];
