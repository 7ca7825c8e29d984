import type { Patch } from '../patch.ts';

const lines = 'test/unit/bin/operator/import/import-line.test.ts';

export const patches: readonly Patch[] = [
  {
    id: 'import-name-twice',
    rule: 'S-37 a line of an import with a name twice is refused',
    file: 'bin/operator/import/import-line.ts',
    find: 'const parsed = parseStrictJson(Buffer.from(text));',
    put: 'const parsed = { ...parseStrictJson(Buffer.from(text)), ok: true as const, value: JSON.parse(text) };',
    tests: [lines],
  },
];
