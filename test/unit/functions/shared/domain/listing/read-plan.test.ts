import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  bucketOf,
  childIndex,
  childStart,
  itemIndex,
  type Level,
  levels,
  productionRadix,
} from '../../../../../../functions/shared/domain/listing/radix.ts';
import {
  isAllRunCheaper,
  planReading,
  spansToDivide,
} from '../../../../../../functions/shared/domain/listing/read-plan.ts';
import {
  entriesToReadNext,
  lastEntriesToRead,
} from '../../../../../../functions/shared/domain/listing/read-units.ts';
import { pickSpans, type Span, spansOf } from '../../../../../../functions/shared/domain/listing/spans.ts';
import { sequenceNumberOf, sequenceText } from '../../../../../../functions/shared/store/listing/keys.ts';
import { propertyRun } from '../../../../../support/builders/property-run.ts';

test('production counts children of 2^10, 2^16 and 2^22 sequence numbers, 64 in an item (listing.md, "The tree")', () => {
  const sequenceNumber = 3 * 2 ** 22 + 5 * 2 ** 16 + 7 * 2 ** 10 + 9;

  expect(
    levels.map((level) => [
      itemIndex(productionRadix, level, sequenceNumber),
      childIndex(productionRadix, level, sequenceNumber),
    ]),
  ).toEqual([
    [0, 3],
    [3, 5],
    [3 * 64 + 5, 7],
  ]);
  expect(bucketOf(productionRadix, sequenceNumber)).toBe((3 * 64 + 5) * 64 + 7);
});

test('a sequence number lies in the child that counts it, at any radix and far beyond 2^32', () => {
  fc.assert(
    fc.property(
      fc.record({ leafBits: fc.integer({ min: 1, max: 10 }), fanBits: fc.integer({ min: 1, max: 6 }) }),
      fc.constantFrom<Level>(...levels),
      fc.integer({ min: 0, max: 2 ** 46 }),
      (radix, level, sequenceNumber) => {
        const item = itemIndex(radix, level, sequenceNumber);
        const start = childStart(radix, level, item, childIndex(radix, level, sequenceNumber));
        const next = childStart(radix, level, item, childIndex(radix, level, sequenceNumber) + 1);
        expect(start <= sequenceNumber && sequenceNumber < next).toBe(true);
      },
    ),
    propertyRun('sequenceNumbers in children', 100),
  );
});

test('the text order of sequence numbers is their order', () => {
  expect(sequenceText(1)).toBe('000000001');
  expect(sequenceText(36 ** 9 - 1)).toBe('zzzzzzzzz');
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (a, b) => {
      expect(sequenceText(a) < sequenceText(b)).toBe(a < b);
      expect(sequenceNumberOf(sequenceText(a))).toBe(a);
    }),
    propertyRun('texts of sequenceNumbers', 100),
  );
});

test('spans add up the rollups, leave out empty children and count the requested status', () => {
  const counters = new Map([
    ['one', { n: 5, d: 2, n0: 3, d0: 1, n2: 2, d2: 1 }],
    ['two', { n: 1, n2: 1, n1: 0 }],
  ]);
  const reading = { radix: { leafBits: 2, fanBits: 2 }, status: 0 as const };

  expect(spansOf(counters, { level: 1, item: 3 }, reading)).toEqual([
    { level: 1, from: 48, to: 52, rollups: [{ id: 'one', all: 3, matching: 2 }], all: 3, matching: 2 },
    {
      level: 1,
      from: 56,
      to: 60,
      rollups: [
        { id: 'one', all: 2, matching: 1 },
        { id: 'two', all: 1, matching: 1 },
      ],
      all: 3,
      matching: 2,
    },
  ]);
});

test('spans are in the order of sequence numbers, the tenth child after the second (PAGE-4)', () => {
  const counters = new Map([['one', { n: 2, d: 0, n10: 1, n2: 1 }]]);

  const spans = spansOf(counters, { level: 1, item: 0 }, { radix: productionRadix, status: undefined });

  expect(spans.map(({ from }) => from)).toEqual([2_048, 10_240]);
});

const economy = { fewRollups: 16, fewEntries: 100 };

const bucket = (index: number, matching: number): Span => ({
  level: 1,
  from: index * 100,
  to: (index + 1) * 100,
  rollups: [{ id: 'one', all: matching, matching }],
  all: matching,
  matching,
});

test.each([
  { offset: 0, count: 10, from: [0], skip: 0 },
  { offset: 95, count: 5, from: [0], skip: 95 },
  { offset: 95, count: 6, from: [0, 300], skip: 95 },
  { offset: 100, count: 50, from: [300], skip: 0 },
  { offset: 149, count: 50, from: [300, 400], skip: 49 },
  { offset: 250, count: 50, from: [], skip: 0 },
])('records $offset to $offset + $count lie in the buckets at $from', ({ offset, count, from, skip }) => {
  const picked = pickSpans([bucket(0, 100), bucket(3, 50), bucket(4, 100)], { offset, count });

  expect(picked.spans.map((span) => span.from)).toEqual(from);
  expect(picked.skip).toBe(skip);
});

test('behind a sequence number its span counts as empty, because the rest of it is unknown', () => {
  const spans = [bucket(0, 100), bucket(3, 5), bucket(4, 100), bucket(5, 100)];

  expect(pickSpans(spans, { after: 50, count: 10 }).spans.map(({ from }) => from)).toEqual([0, 300, 400]);
  expect(pickSpans(spans, { after: 99, count: 5 }).spans.map(({ from }) => from)).toEqual([300]);
});

test.each([
  [
    'near the end of a bucket is read from its end',
    900,
    [{ from: 0, to: 100, descending: true, count: 100 }],
  ],
  [
    'over a border is read from the end of one bucket and the start of the next',
    995,
    [
      { from: 0, to: 100, descending: true, count: 5 },
      { from: 100, to: 200, descending: false, count: 5 },
    ],
  ],
])('a page %s', (_, offset, ranges) => {
  const page = { offset, count: 10 };
  const picked = pickSpans([bucket(0, 1000), bucket(1, 1000)], page);

  expect(planReading(picked, page, economy)).toMatchObject({ ranges, skip: 0 });
});

/** A span of level 2 with this many transactions, all of which match. */
const childOf = (index: number, all: number, rollups = 1): Span => ({
  ...{ level: 2, from: index * 65_536, to: (index + 1) * 65_536, all, matching: all },
  rollups: Array.from({ length: rollups }, (_, id) => ({ id: `${id}`, all, matching: all })),
});
const [large, next, small] = [childOf(0, 1_000), childOf(1, 1_000), childOf(2, 100)];
const at = (offset: number) => ({ offset, count: 10 });

test.each([
  ['all, for many rollups', [childOf(0, 1, 17), bucket(700, 500)], at(0), undefined, [0]],
  ['none, for few rollups with few entries', [childOf(0, 1, 16)], at(0), 1, []],
  ['the large ones, with a status', [large, next, small], at(5), 0, [0, 65_536]],
  ['none, behind a sequence number', [large, next], { after: 5, count: 200 }, undefined, []],
  ['none, for a page near the start', [large, next], at(90), undefined, []],
  ['the first one, for a page further in', [large, next], at(91), undefined, [0]],
  ['none, for a page near the end', [large, next], at(1_900), undefined, []],
  ['the first one, for a page before that', [large, next], at(1_899), undefined, [0]],
  ['none, where the first one is small', [small, large], at(95), undefined, []],
] as const)('STO-4 further counters are read of %s', (_, spans, page, status, expected) => {
  const skip = 'offset' in page ? page.offset : 0;

  const divided = spansToDivide({ spans: [...spans], skip }, page, status, economy);

  expect(divided.map(({ from }) => from)).toEqual(expected);
});

test.each([
  [16, 1_000, false],
  [17, 1_000, true],
  [17, 100_000, false],
])(
  'STO-4 %i index runs of a bucket %i wide: the run of all transactions is cheaper: %s',
  (rollups, to, expected) => {
    const each = Array.from({ length: rollups }, (_, id) => ({ id: `${id}`, all: 10, matching: 10 }));

    expect(isAllRunCheaper({ from: 0, to, descending: false, count: 10, rollups: each }, economy)).toBe(
      expected,
    );
  },
);

/** What a plan reads, played over the sequence numbers themselves. */
const play = (sequenceNumbers: number[], { ranges, skip }: ReturnType<typeof planReading>, count: number) =>
  ranges
    .flatMap(({ from, to, descending, count: most }) => {
      const inside = sequenceNumbers.filter(
        (sequenceNumber) => from <= sequenceNumber && sequenceNumber < to,
      );
      return descending ? inside.slice(Math.max(0, inside.length - most)) : inside.slice(0, most);
    })
    .slice(skip, skip + count);

test('every plan returns exactly the requested records, whatever the buckets hold', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 999 }), { maxLength: 200 }),
      fc.integer({ min: 1, max: 50 }),
      fc.nat({ max: 220 }),
      fc.boolean(),
      (unsorted, count, at, isBehind) => {
        const sequenceNumbers = unsorted.sort((a, b) => a - b);
        const counts = Array.from({ length: 10 }, (_, index) =>
          sequenceNumbers.filter((p) => Math.floor(p / 100) === index),
        );
        const spans = counts
          .map((inside, index) => bucket(index, inside.length))
          .filter(({ all }) => all > 0);
        const wanted = isBehind ? { after: at * 4, count } : { offset: at, count };
        const expected = isBehind
          ? sequenceNumbers.filter((p) => p > at * 4).slice(0, count)
          : sequenceNumbers.slice(at, at + count);
        expect(play(sequenceNumbers, planReading(pickSpans(spans, wanted), wanted, economy), count)).toEqual(
          expected,
        );
      },
    ),
    propertyRun('plans of reading', 3_000),
  );
});

test.each([
  { rule: 'without a status as many as are wanted', status: undefined, count: 7, limits: [7, 7] },
  { rule: 'with one half as many again as its share says', status: 1, count: 10, limits: [56, 56] },
  { rule: 'in whole read units', status: 1, count: 13, limits: [112, 56] },
  { rule: 'two of them at most', status: 1, count: 24, limits: [112, 112] },
  { rule: 'not at all for more', status: 1, count: 25, limits: undefined },
] as const)('STO-4 how many of the last entries are read: $rule ($count)', ({ status, count, limits }) => {
  const rollups = [
    { id: 'one', all: 300, matching: 70 },
    { id: 'two', all: 200, matching: 30 },
  ];

  expect(lastEntriesToRead(count, rollups, { status, unitEntries: 56 })).toEqual(limits);
});

test.each([
  { rule: 'by the share of what was looked at', found: 4, looked: 42, hasOwners: true, next: 63 },
  { rule: 'by that share, where entries are short', found: 4, looked: 42, hasOwners: false, next: 112 },
  { rule: 'a unit at least', found: 9, looked: 42, hasOwners: true, next: 21 },
  { rule: 'three times as many at most', found: 1, looked: 42, hasOwners: true, next: 126 },
  { rule: 'as many where nothing was found', found: 0, looked: 42, hasOwners: true, next: 126 },
])('STO-4 how many entries are read next: $rule', ({ next, ...soFar }) => {
  expect(entriesToReadNext(10, soFar)).toBe(next);
});
