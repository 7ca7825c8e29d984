import { expect, test } from '@jest/globals';
import { type BusEntry, groupsThatFit } from '../../../../../functions/shared/outbound/event-bus.ts';

const kB = 1_000;

const anEntry = (size: number): { entry: BusEntry } => ({
  entry: {
    ...{ clientId: 'P1', eventId: 'event-1', type: 'TransactionUpdated', from: 0, to: 1 },
    ...{ omitted: [], tries: 0 },
    message: JSON.stringify('x'.repeat(size)),
  },
});

test('PutEvents counts bytes, of which a letter may have several', () => {
  const entries = Array.from({ length: 2 }, () => ({
    entry: { ...anEntry(0).entry, message: JSON.stringify('é'.repeat(300 * kB)) },
  }));

  expect(groupsThatFit(entries).map(({ length }) => length)).toEqual([1, 1]);
});

test.each([
  [Array(11).fill(1), [10, 1]],
  [
    [600 * kB, 600 * kB, 300 * kB, 200 * kB],
    [1, 2, 1],
  ],
  [
    [990 * kB, 20 * kB, 20 * kB],
    [1, 2],
  ],
])('PutEvents accepts ten entries, and less than 1 MB, in one request (%#)', (sizes, groups) => {
  expect(groupsThatFit(sizes.map(anEntry)).map(({ length }) => length)).toEqual(groups);
});
