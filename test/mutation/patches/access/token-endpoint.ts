import type { Patch } from '../../patch.ts';

/** What the token endpoint takes. */
export const patches: readonly Patch[] = [
  {
    id: 'token-by-overridden-method',
    rule: 'O-48 a POST that the gateway may have made is refused',
    file: 'functions/issue-token/handler.ts',
    find: ' || isMadePost(event)',
    put: '',
    tests: ['test/unit/functions/issue-token/token-endpoint.test.ts'],
  },
];
