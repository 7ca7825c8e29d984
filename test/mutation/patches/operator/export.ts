import type { Patch } from '../../patch.ts';

const walk = 'functions/shared/store/audit/walk.ts';
const walkTest = 'test/unit/functions/shared/store/audit/walk.test.ts';
const commandTest = 'test/unit/bin/operator/commands/transactions.test.ts';

export const patches: readonly Patch[] = [
  {
    id: 'export-first-page-only',
    rule: 'RUN-4 an export with the deleted reads every page of the table',
    file: walk,
    find: '    onFound(places.length);\n',
    put: '    onFound(places.length);\n    break;\n',
    tests: [walkTest],
  },
  {
    id: 'export-as-scanned',
    rule: 'RUN-4 an export with the deleted comes in creation order',
    file: walk,
    find: 'return places.sort(byPosition);',
    put: 'return places;',
    tests: [walkTest],
  },
  {
    id: 'export-always-with-deleted',
    rule: 'RUN-4 an export has deleted transactions only when asked',
    file: 'bin/operator/commands/transactions.ts',
    find: 'const all = withDeleted ?',
    put: 'const all = withDeleted || !withDeleted ?',
    tests: [commandTest],
  },
  {
    id: 'export-record-without-deleted',
    rule: 'S-28 the record of an export says whether deleted transactions left the service',
    file: 'bin/operator/commands/transactions.ts',
    find: '{ file: file ?? null, withDeleted }',
    put: '{ file: file ?? null }',
    tests: [commandTest],
  },
];
