import type { Patch } from '../patch.ts';

const selection = 'test/unit/functions/v2-read/selection.test.ts';
const nextState = 'test/unit/functions/shared/domain/transaction/next-state.test.ts';
const storefronts = 'test/integration/store/storefronts.test.ts';

export const patches: readonly Patch[] = [
  {
    id: 'shape-completes',
    rule: 'SHAPE-1 a member that nothing is known of is null, not missing',
    file: 'functions/shared/domain/transaction/shape.ts',
    find: 'return Object.fromEntries(members.map((member) => [',
    put: 'return Object.fromEntries(members.filter((member) => Object.hasOwn(element, member)).map((member) => [',
    tests: [selection],
  },
  {
    id: 'shape-software-empty',
    rule: 'SHAPE-1 groupSoftware is empty where none is known',
    file: 'functions/shared/domain/transaction/shape.ts',
    find: "(member === 'groupSoftware' ? '' : null)",
    put: "(member === '' ? '' : null)",
    tests: [selection],
  },
  {
    id: 'shape-of-lists',
    rule: 'SHAPE-1 an export completes each payment',
    file: 'functions/shared/domain/transaction/shape.ts',
    find: 'return element.map((one) => completeElement(name, one));',
    put: 'return element;',
    tests: ['test/unit/bin/operator/import/import-transactions.test.ts'],
  },
  {
    id: 'shape-of-exports',
    rule: 'SHAPE-1 an export completes what is stored',
    file: 'bin/operator/import/restore.ts',
    find: '...completeTransaction(transaction),',
    put: '...(completeTransaction && transaction),',
    tests: ['test/unit/bin/operator/import/import-transactions.test.ts'],
  },
  {
    id: 'shape-put-back',
    rule: 'WR-3 what is put back as it was shown is no change',
    file: 'functions/shared/domain/transaction/next-state.ts',
    find: 'completeElement(part, transaction[part] ?? null)',
    put: 'completeElement(String(part.length), transaction[part] ?? null)',
    tests: [nextState],
  },
  {
    id: 'shape-nulls-taken-back',
    rule: 'SHAPE-1 a delivery that was read may be put back with its nulls',
    file: 'functions/shared/schema/fields.ts',
    find: '.map(([name, schema]) => [name, z.nullable(schema)]));',
    put: '.map(([name, schema]) => [name, schema]));',
    tests: ['test/unit/functions/shared/schema/transaction.test.ts'],
  },
  {
    id: 'storefront-known-stays',
    rule: 'SHAPE-1 what an import made known of a location stays when a storefront takes it over',
    file: 'functions/shared/store/storefronts/store.ts',
    find: 'const storefront = holder ? takeOver(asked, holder) : asked;',
    put: 'const storefront = holder && takeOver ? asked : asked;',
    tests: [storefronts],
  },
  {
    id: 'storefront-retired-branch',
    rule: 'SHAPE-1 a retired storefront gives way with its branch',
    file: 'functions/shared/domain/ownership/storefront.ts',
    find: 'retired ? [storefront.owner, owner] : [owner, storefront.owner]',
    put: 'retired ? [owner, storefront.owner] : [owner, storefront.owner]',
    tests: [storefronts],
  },
  {
    id: 'address-schemes',
    rule: 'S-46 an address is http or https, and nothing else',
    file: 'functions/shared/schema/fields.ts',
    find: '!/^https?:\\/\\/[^/\\\\\\s]/i.test(address)',
    put: '!/^[a-z]+:\\/\\/[^/\\\\\\s]/i.test(address)',
    tests: ['test/unit/functions/v2-write/body.test.ts'],
  },
  {
    id: 'line-breaks',
    rule: 'S-38 one line has no line break',
    file: 'functions/shared/schema/fields.ts',
    find: 'return !/\\p{Cc}/u.test(value);',
    put: 'return !/[^\\P{Cc}\\r\\n]/u.test(value);',
    tests: ['test/unit/functions/shared/schema/transaction.test.ts'],
  },
  {
    id: 'line-free-text',
    rule: 'S-38 free text may have several lines',
    file: 'functions/shared/schema/elements.ts',
    find: 'message: optional(text(2000)),',
    put: 'message: optional(line(2000)),',
    tests: ['test/unit/functions/shared/schema/transaction.test.ts'],
  },
  {
    id: 'line-identifiers',
    rule: 'S-38 an identifier that lists filter by is one line',
    file: 'functions/shared/schema/elements.ts',
    find: 'z.refine(isLine, ',
    put: "z.refine(() => isLine(''), ",
    tests: ['test/unit/functions/shared/schema/transaction.test.ts'],
  },
];
