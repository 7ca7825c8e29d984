import { expect, test } from '@jest/globals';
import { readListPage } from '../../../../../../functions/shared/store/transactions/list-page.ts';
import { aNewTransaction, uuidOf } from '../../../../../support/builders/transactions.ts';

const scope = { kind: 'grants', grants: [{ group: 'group-a' }] } as const;
const upTo = (count: number) =>
  Array.from({ length: count }, (_, index) => aNewTransaction({ uuid: uuidOf(index) }));

/** Whether a next page is linked, of pages of three of ten, if so many are on the page and behind it. */
const hasNext = async (shown: number, behind: number, request: { page: number; afterUuid?: string }) => {
  const listWithin = async ({ perPage }: { perPage: number }) => ({
    transactions: upTo(perPage === 1 ? behind : shown),
    totalCount: 10,
  });
  return (await readListPage({ listWithin }, { scope, filter: {}, perPage: 3, ...request })).hasNext;
};

test.each([
  ['by number, the last page but one', 3, 0, { page: 3 }, true],
  ['by number, the last page', 1, 0, { page: 4 }, false],
  ['after a cursor, a short page', 2, 1, { page: 3, afterUuid: uuidOf(9) }, false],
  ['after a cursor, a whole page before the last', 3, 0, { page: 3, afterUuid: uuidOf(9) }, true],
  [
    'after a cursor, a whole page that is the last by number, with more behind it',
    3,
    1,
    { page: 4, afterUuid: uuidOf(9) },
    true,
  ],
  ['after a cursor, a whole page with nothing behind it', 3, 0, { page: 4, afterUuid: uuidOf(9) }, false],
])('LINK-1 LINK-5 %s: %i on it, %i behind it', async (_, shown, behind, request, expected) => {
  expect(await hasNext(shown, behind, request)).toBe(expected);
});
