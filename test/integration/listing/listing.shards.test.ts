import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createListingAuditor } from '../../../bin/operator/store/listing/audit.ts';
import { createImportWriter } from '../../../bin/operator/store/transactions/import-writer.ts';
import { type RollupKind, rollupsOfOwner } from '../../../functions/shared/domain/ownership/rollup.ts';
import type {
  StoredTransaction,
  Transaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import {
  type ListingSettings,
  productionSettings,
} from '../../../functions/shared/store/listing/settings.ts';
import type { TransactionPage } from '../../../functions/shared/store/transactions/reader.ts';
import { propertyRun } from '../../support/builders/property-run.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { readerWithoutDrift } from '../../support/engine/transaction-reader.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { pageByForce } from '../../support/memory/transactions.ts';

const engine = useEngine();

type Shards = Record<RollupKind, number>;
const sameForAll = (shards: number): Shards => ({ group: shards, franchise: shards, location: shards });

/** Readers and writers of deployments with other numbers of shards, side by side over the same tables. */
const aStore = async (settings: ListingSettings = productionSettings) => {
  const tables = await newTables(engine, ['Transactions', 'Listing', 'Debounce']);
  let drawn = 0;
  // Fifths of 1, and then the same again.
  const retryDelays = { random: () => (drawn++ % 5) / 5, sleep: async () => {} };
  return {
    tables,
    writer: (shards: Shards) =>
      createImportWriter({ ...tables, retryDelays, settings: { ...settings, shards } }),
    reader: (shards: Shards) => readerWithoutDrift({ ...tables, settings: { ...settings, shards } }),
    auditor: createListingAuditor({ ...tables, settings }),
  };
};

const ofGroup = {
  scope: { kind: 'grants' as const, grants: [{ group: 'group-a' }] },
  ...{ filter: {}, page: 1, perPage: 10 },
};

test('S-79 a write adds to one of eight shards of its group, four of its franchise and one of its location', async () => {
  const { tables } = await aStore();
  const draws = Array.from({ length: 16 }, (_, index) => index / 16);
  const writer = createImportWriter({
    ...tables,
    retryDelays: { random: () => draws.shift() ?? 0, sleep: async () => {} },
  });
  for (let number = 1; number <= 16; number += 1)
    await writer.create(aNewTransaction({ uuid: uuidOf(number) }));

  const counted = await Promise.all(
    rollupsOfOwner(anOwner()).map(async ({ id, groupId }) => {
      const rows = await rowsOf(tables.listingTable, groupId);
      return rows.filter(({ sk }) => sk.startsWith('r') && sk.includes(id)).map(({ n }) => n);
    }),
  );

  expect(counted).toEqual([[2, 2, 2, 2, 2, 2, 2, 2], [4, 4, 4, 4], [16]]);
});

const rowsOf = async (table: string, groupId: string) => {
  const { Items = [] } = await engine.documents.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': `c#${groupId}` },
    }),
  );
  return Items as { sk: string; n?: number }[];
};

test('S-79 STO-8 transactions that are created together share one shard of each rollup', async () => {
  const { tables, writer } = await aStore();
  const [group] = rollupsOfOwner(anOwner());

  await writer(sameForAll(8)).createMany(
    Array.from({ length: 20 }, (_, index) => aNewTransaction({ uuid: uuidOf(index) })),
  );

  const rows = await rowsOf(tables.listingTable, group?.groupId ?? '');
  // Three rollups, and three levels of each.
  expect(rows).toHaveLength(9);
});

test('STO-6 S-79 an audit counts all shards together, and a repair adds the difference to one of them', async () => {
  const { tables, writer, reader, auditor } = await aStore();
  for (let number = 1; number <= 10; number += 1)
    await writer(sameForAll(5)).create(aNewTransaction({ uuid: uuidOf(number) }));
  const [group] = rollupsOfOwner(anOwner());
  await engine.documents.send(
    new UpdateCommand({
      TableName: tables.listingTable,
      Key: { pk: `c#${group?.id}`, sk: `rg#${group?.id}#3` },
      UpdateExpression: 'ADD n :two',
      ExpressionAttributeValues: { ':two': 2 },
    }),
  );
  const drift = [{ key: `c#${group?.id} rg#${group?.id}#0`, attribute: 'n', difference: -2 }];

  expect((await auditor.audit()).counterDrift).toEqual(drift);
  expect((await auditor.repair()).counterDrift).toEqual(drift);
  expect((await auditor.audit()).counterDrift).toEqual([]);
  const roots = (await rowsOf(tables.listingTable, group?.id ?? '')).filter(({ sk }) => sk.startsWith('rg#'));
  expect(roots.map(({ sk, n }) => [sk.at(-1), n])).toEqual([
    ['0', 0],
    ['1', 2],
    ['2', 2],
    ['3', 4],
    ['4', 2],
  ]);
  expect((await reader(sameForAll(1)).listWithin(ofGroup)).totalCount).toBe(10);
});

/** Page borders, bucket borders and borders of parents lie within forty transactions. */
const tiny: ListingSettings = {
  ...{ radix: { leafBits: 1, fanBits: 2 }, shards: sameForAll(1) },
  ...{ fewRollups: 2, fewEntries: 0, unitEntries: 3 },
};
const shards = fc.record({
  ...{ group: fc.integer({ min: 1, max: 9 }), franchise: fc.integer({ min: 1, max: 5 }) },
  location: fc.integer({ min: 1, max: 3 }),
});
const values = fc.record({
  ndMeta: fc
    .record({ group: fc.constantFrom('a', 'b'), location: fc.constantFrom('1', '2', '3') })
    .map(anOwner),
  status: fc.constantFrom<0 | 1>(0, 1),
  isDeleted: fc.constantFrom<0 | 1>(0, 0, 0, 1),
});
const write = fc.record({ number: fc.nat(40), values, by: fc.nat(2) });
const scopes = [
  [{ group: 'a' }],
  [{ group: 'a', franchise: 'franchise-a' }, { group: 'b' }],
  ['1', '2', '3'].map((location) => ({ group: 'a', franchise: 'franchise-a', location })),
];

test('S-79 PAGE-4 lists equal brute force while writers and readers with different numbers of shards run side by side', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(shards, shards, shards),
      shards,
      fc.array(write, { minLength: 30, maxLength: 50, size: 'max' }),
      async (numbers, read, writes) => {
        const store = await aStore(tiny);
        const writers = numbers.map(store.writer);
        const all: StoredTransaction[] = [];
        for (const one of writes) {
          const [before, writer] = [all[one.number], writers[one.by] ?? store.writer(read)];
          const written = before
            ? await writer.replace(before, changed(before, one.values))
            : await writer.create(aNewTransaction({ uuid: uuidOf(all.length), ...one.values }));
          if (!written.ok) throw new Error(written.reason);
          all[before ? one.number : all.length] = written.value;
        }

        for (const grants of scopes)
          for (const page of [1, 2, 4]) {
            const request = { ...ofGroup, scope: { kind: 'grants' as const, grants }, page, perPage: 4 };
            const found = await store.reader(read).listWithin(request);
            expect(shown(found)).toEqual(shown(pageByForce(all, request)));
          }
        expect((await store.auditor.audit()).counterDrift).toEqual([]);
      },
    ),
    { ...propertyRun('numbers of shards side by side', 6, 100), endOnFailure: true },
  );
}, 300_000);

const changed = (before: StoredTransaction, into: Partial<Transaction>): StoredTransaction => ({
  ...before,
  version: before.version + 1,
  transaction: { ...before.transaction, ...into },
});

const shown = ({ transactions, totalCount }: TransactionPage) => ({
  totalCount,
  uuids: transactions.map(({ transaction: { uuid } }) => uuid),
});
