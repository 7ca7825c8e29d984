import type { Patch } from '../../patch.ts';

const many = ['test/integration/listing/listing.create-many.test.ts'];
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
  {
    id: 'import-kept-positions',
    rule: 'RUN-4 an import that was killed goes on at the positions that its lines were to have',
    file: 'functions/shared/store/transactions/create-many.ts',
    find: 'kept.first ?? (await takePositions(',
    put: '(await takePositions(',
    tests: many,
  },
  {
    id: 'import-noted-positions',
    rule: 'RUN-4 the positions of an import are noted under its own lines',
    file: 'functions/shared/store/transactions/positions.ts',
    find: 'positionsKey(fingerprintOf(transactions))',
    put: 'positionsKey(fingerprintOf(transactions).slice(0, 0))',
    tests: many,
  },
  {
    id: 'import-groups',
    rule: 'STO-8 writes of one group go one after the other',
    file: 'functions/shared/store/transactions/loads.ts',
    find: 'Map.groupBy(transactions, groupOf)',
    put: 'Map.groupBy(transactions, ({ position }) => position % 3)',
    tests: many,
  },
  {
    id: 'import-shared-counters',
    rule: 'STO-8 a counter that several transactions of a write touch is written once',
    file: 'functions/shared/store/transactions/loads.ts',
    find: 'filter((key) => !counters.has(key)).length',
    put: 'filter((key) => key !== String(counters)).length',
    tests: many,
  },
];
