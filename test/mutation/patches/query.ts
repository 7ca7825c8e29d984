import type { Patch } from '../patch.ts';

const cursor = 'functions/shared/domain/query/page-cursor.ts';
const ofCursor = ['test/unit/functions/shared/domain/query/page-cursor.test.ts'];

/** What a list request asks for. */
export const patches: readonly Patch[] = [
  ...(['uuid', 'status', 'ndstockid', 'salesmasterid'] as const).map((name) => ({
    id: `cursor-${name}`,
    rule: `LINK-5 a cursor is bound to filter[${name}]`,
    file: cursor,
    find: `  ${name},\n`,
    put: '  undefined,\n',
    tests: ofCursor,
  })),
  {
    id: 'cursor-franchise',
    rule: 'LINK-5 a cursor is bound to the franchise of grants',
    file: cursor,
    find: 'JSON.stringify([group, franchise, location])',
    put: 'JSON.stringify([group, location])',
    tests: ofCursor,
  },
  {
    id: 'cursor-location',
    rule: 'LINK-5 a cursor is bound to the location of grants',
    file: cursor,
    find: 'JSON.stringify([group, franchise, location])',
    put: 'JSON.stringify([group, franchise])',
    tests: ofCursor,
  },
  {
    id: 'cursor-page',
    rule: 'LINK-5 a cursor is bound to its page',
    file: cursor,
    find: 'filterFacts(filter), page, perPage',
    put: 'filterFacts(filter), perPage',
    tests: ofCursor,
  },
  {
    id: 'cursor-size',
    rule: 'LINK-5 a cursor is bound to the size of pages',
    file: cursor,
    find: 'filterFacts(filter), page, perPage',
    put: 'filterFacts(filter), page',
    tests: ofCursor,
  },
  {
    id: 'cursor-scope',
    rule: 'LINK-5 a cursor is bound to the grants',
    file: cursor,
    find: '[uuid, scopeFacts(scope), ',
    put: '[uuid, ',
    tests: ofCursor,
  },
];
