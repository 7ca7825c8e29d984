import { expect, test } from '@jest/globals';
import { pageOfEnds, type RunEnd } from '../../../../../../functions/shared/store/listing/page-ends.ts';

const entry = (sk: string) => ({ sk, u: sk });
const endOf = (id: string, found: string, frontier?: string): RunEnd => ({
  id,
  entries: [...found].map(entry),
  frontier,
});
const of = (one: number, two: number) => [
  { id: 'one', all: 100, matching: one },
  { id: 'two', all: 100, matching: two },
];

test.each<[rule: string, ends: RunEnd[], counts: ReturnType<typeof of>, page: string | undefined]>([
  [
    'both runs were looked at up to the last of it',
    [endOf('one', 'ad', 'e'), endOf('two', 'bc', 'd')],
    of(9, 9),
    'abc',
  ],
  [
    'the last of it is where a look ended',
    [endOf('one', 'ad', 'd'), endOf('two', 'bc', 'c')],
    of(9, 9),
    'abc',
  ],
  [
    'a nearer one may follow in a run',
    [endOf('one', 'ad', 'e'), endOf('two', 'b', 'c')],
    of(9, 9),
    undefined,
  ],
  [
    'a run of which nothing matched was not looked at far',
    [endOf('one', 'abd', 'e'), endOf('two', '', 'c')],
    of(9, 9),
    undefined,
  ],
  ['a run has ended', [endOf('one', 'ade', 'f'), endOf('two', 'b')], of(9, 9), 'abd'],
  ['a run has given all that match', [endOf('one', 'ade', 'f'), endOf('two', 'b', 'c')], of(9, 1), 'abd'],
  [
    'too few were found and more may follow',
    [endOf('one', 'a', 'z'), endOf('two', 'b')],
    of(2, 1),
    undefined,
  ],
  ['fewer match than a page holds', [endOf('one', 'a', 'z'), endOf('two', 'b')], of(1, 1), 'ab'],
])('PAGE-4 the first entries of runs are a page, or surely none: %s', (_, ends, counts, page) => {
  const found = pageOfEnds(ends, counts, { count: 3, descending: false });

  expect(found?.map(({ u }) => u).join('')).toBe(page);
});

test.each<[rule: string, ends: RunEnd[], page: string | undefined]>([
  [
    'both runs were looked at down to the first of it',
    [endOf('one', 'zw', 'v'), endOf('two', 'yx', 'x')],
    'xyz',
  ],
  ['a nearer one may precede in a run', [endOf('one', 'zw', 'v'), endOf('two', 'y', 'y')], undefined],
  ['a run has ended', [endOf('one', 'zw', 'v'), endOf('two', 'y')], 'wyz'],
])('PAGE-4 the last entries of runs are a page, or surely none: %s', (_, ends, page) => {
  const found = pageOfEnds(ends, of(9, 9), { count: 3, descending: true });

  expect(found?.map(({ u }) => u).join('')).toBe(page);
});

test('PAGE-4 the first of all transactions are a page if they fill it, or are all', () => {
  const end = { entries: [...'ab'].map(entry), frontier: 'b' };

  expect(pageOfEnds([end], of(9, 9), { count: 2, descending: false })).toHaveLength(2);
  expect(pageOfEnds([end], of(1, 1), { count: 3, descending: false })).toHaveLength(2);
  expect(pageOfEnds([end], of(2, 1), { count: 3, descending: false })).toBeUndefined();
});
