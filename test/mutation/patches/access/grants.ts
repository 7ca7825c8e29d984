import type { Patch } from '../../patch.ts';

export const patches: readonly Patch[] = [
  {
    id: 'grant-names-group',
    rule: 'GRANT-1 a grant covers its own group alone',
    file: 'functions/shared/domain/ownership/grant.ts',
    find: 'grant.group === owner.group',
    put: 'grant.group !== undefined',
    tests: ['test/unit/functions/shared/domain/ownership/grant.test.ts'],
  },
];
