import type { Patch } from '../../patch.ts';

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
  {
    id: 'import-one-line',
    rule: 'S-38 an import refuses a control character where one line is meant',
    file: 'functions/shared/schema/stored.ts',
    find: 'text.refine(isLine, ',
    put: 'text.refine(() => isLine(String()), ',
    tests: [lines],
  },
  {
    id: 'import-identifier-line',
    rule: 'S-38 an import refuses a control character in an identifier that lists filter by',
    file: 'bin/operator/import/import-line.ts',
    find: 'return isLine(value) ? undefined',
    put: 'return isLine(value.slice(value.length)) ? undefined',
    tests: [lines],
  },
];
