import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { indexedColumns } from '../../../../../../functions/shared/domain/listing/columns.ts';
import { rollupsOfOwner } from '../../../../../../functions/shared/domain/ownership/rollup.ts';
import {
  allRunPartition,
  type CounterItem,
  counterKey,
  counterPartition,
  kindPrefix,
  rollupPrefix,
  runPartition,
  sequencePartition,
  sessionPartition,
  valuePartition,
} from '../../../../../../functions/shared/store/listing/keys.ts';
import { propertyRun } from '../../../../../support/builders/property-run.ts';

/** Names of owners are chosen by others: with the separator, alike, empty, beginning with each other. */
const name = fc.oneof(fc.constantFrom('', '#', 'a', 'a#', 'a#0', 'g', '["a"]'), fc.string({ maxLength: 6 }));
const owner = fc.record({ group: name, franchise: name, location: name });
const rollup = fc.tuple(owner, fc.nat(2)).map(([who, index]) => {
  const chosen = rollupsOfOwner(who)[index];
  if (!chosen) throw new Error('an owner has three rollups');
  return chosen;
});
const place: fc.Arbitrary<CounterItem> = fc.oneof(
  fc.constant({ level: 3 as const, item: 0 }),
  fc.record({ level: fc.constantFrom<1 | 2>(1, 2), item: fc.oneof(fc.nat(40), fc.nat()) }),
);
const shard = fc.oneof(fc.nat(40), fc.nat());

test('S-79 a prefix has the keys of its own rollup and place, of any shard, and no others', () => {
  fc.assert(
    fc.property(rollup, place, rollup, place, shard, (one, here, other, there, number) => {
      const isSame = one.id === other.id && here.level === there.level && here.item === there.item;
      const key = counterKey(other, there, number);

      expect(key.sk.startsWith(rollupPrefix(one, here))).toBe(isSame);
      expect(key.sk.startsWith(kindPrefix(one.kind, here))).toBe(
        one.kind === other.kind && here.level === there.level && here.item === there.item,
      );
    }),
    propertyRun('prefixes of counters', 2_000, 100_000),
  );
}, 120_000);

test('S-79 the id of a rollup has eleven letters and digits, and never the separator of keys', () => {
  fc.assert(
    fc.property(rollup, ({ id }) => {
      expect(id).toMatch(/^[\w-]{11}$/);
    }),
    propertyRun('ids of rollups', 500, 5_000),
  );
});

test('the keys of counters never change, because stored totals use them', () => {
  const [group, franchise, location] = rollupsOfOwner({
    ...{ group: 'group-a', franchise: 'franchise-a', location: 'location-a' },
  });

  expect([
    group && counterKey(group, { level: 3, item: 0 }, 7),
    franchise && counterKey(franchise, { level: 2, item: 40 }, 3),
    location && counterKey(location, { level: 1, item: 0 }, 36),
  ]).toEqual([
    { pk: 'c#vll9uc-OnSh', sk: 'rg#vll9uc-OnSh#7' },
    { pk: 'c#vll9uc-OnSh', sk: '2f#14#Ql3mhK5vAmZ#3' },
    { pk: 'c#vll9uc-OnSh', sk: '1l#0#6d5yGlChsm8#10' },
  ]);
});

test('FLT-1 the index runs of each column begin with their own letters, which no other item has', () => {
  const runs = Object.values(indexedColumns).flatMap(({ run }) => [
    valuePartition('group', { run, value: 'x'.repeat(500) }),
    valuePartition('group', { run, value: 'x'.repeat(501) }),
  ]);
  const others = [
    sequencePartition,
    runPartition('node'),
    allRunPartition(0),
    sessionPartition('session'),
    counterPartition('group'),
  ];

  const beginnings = [...runs, ...others].map((partition) => partition.split('#')[0]);

  expect(new Set(beginnings).size).toBe(2 * Object.keys(indexedColumns).length + 5);
});

test('the keys of indexed values never change, because stored entries use them', () => {
  const { ndstockid, salesmasterid } = indexedColumns;

  expect([
    valuePartition('vll9uc-OnSh', { ...ndstockid, value: 'A#1' }),
    valuePartition('vll9uc-OnSh', { ...salesmasterid, value: 'ü'.repeat(250) }),
    valuePartition('vll9uc-OnSh', { ...salesmasterid, value: 'ü'.repeat(251) }),
  ]).toEqual([
    'v#vll9uc-OnSh#A#1',
    `x#vll9uc-OnSh#${'ü'.repeat(250)}`,
    'X#vll9uc-OnSh#6tivpRE9A1McabYqxzHrywfPwYDP_wYaJguvpgEj1LU',
  ]);
});
