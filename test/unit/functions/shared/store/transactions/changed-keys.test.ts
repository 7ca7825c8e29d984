import { expect, test } from '@jest/globals';
import { changedPartitions } from '../../../../../../functions/shared/store/transactions/changed-keys.ts';

const at = (time: string) => Date.parse(`2026-11-21T${time}:00Z`);

test.each([
  ['13:50', '14:10', ['13', '14']],
  ['13:00', '14:00', ['13']],
  ['13:59', '15:01', ['13', '14', '15']],
  ['14:00', '14:00', []],
])('I20 the partitions of %s to %s are those of each hour that it touches', (from, to, hours) => {
  expect(changedPartitions(at(from), at(to))).toEqual(
    hours.flatMap((hour) => [0, 1, 2, 3].map((shard) => `2026-11-21T${hour}#${shard}`)),
  );
});
