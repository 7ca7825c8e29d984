import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import {
  createImportWriter,
  type ImportWriter,
} from '../../../bin/operator/store/transactions/import-writer.ts';
import { erasedState } from '../../../functions/shared/domain/transaction/erasure.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import {
  type ChangeIndex,
  createChangeIndex,
} from '../../../functions/shared/store/transactions/changed-index.ts';
import { takeAll } from '../../support/builders/take-all.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { readerWithoutDrift } from '../../support/engine/transaction-reader.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryTransactions } from '../../support/memory/transactions.ts';

const engine = useEngine();
const tables = () => newTables(engine, ['Transactions', 'Listing']);

type Store = ChangeIndex & ImportWriter;

const storeIn = (access: Awaited<ReturnType<typeof tables>>): Store => ({
  ...createChangeIndex(access),
  ...createImportWriter(access),
});

const at = (text: string) => Date.parse(`2026-11-21T${text}Z`);

const found = async (store: Store, from: string, to: string) => {
  const all = await takeAll(store.changedBetween({ fromMs: at(from), toMs: at(to) }));
  return all.sort((one, other) => one.updatedAtMs - other.updatedAtMs);
};

const create = async (
  store: Store,
  number: number,
  facts: { updatedAtMs: number; version?: number; notifyFromVersion?: number },
) => {
  const outcome = await store.create(aNewTransaction({ uuid: uuidOf(number) }, facts));
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.value;
};

const changed = (stored: StoredTransaction, updatedAtMs: number): StoredTransaction => ({
  ...stored,
  version: stored.version + 1,
  updatedAtMs,
});

describe.each([
  { name: 'stand-in in memory', newStore: async (): Promise<Store> => createMemoryTransactions() },
  { name: 'DynamoDB engine', newStore: async () => storeIn(await tables()) },
])('$name', ({ newStore }) => {
  test('I20 finds changes between two instants, over hours', async () => {
    const store = await newStore();
    await create(store, 1, { updatedAtMs: at('13:59:59.999') });
    await create(store, 2, { updatedAtMs: at('14:00:00') });
    await create(store, 3, { updatedAtMs: at('16:30:00'), version: 7, notifyFromVersion: 4 });
    await create(store, 4, { updatedAtMs: at('16:30:01') });

    expect(await found(store, '14:00:00', '16:30:01')).toEqual([
      { uuid: uuidOf(2), version: 1, notifyFromVersion: 1, updatedAtMs: at('14:00:00') },
      { uuid: uuidOf(3), version: 7, notifyFromVersion: 4, updatedAtMs: at('16:30:00') },
    ]);
    expect(await found(store, '14:00:00', '14:00:00')).toEqual([]);
    expect(await found(store, '16:30:00', '16:30:00')).toEqual([]);
    expect(await found(store, '16:00:00', '14:00:00')).toEqual([]);
  });

  test('a transaction is found only under its last change', async () => {
    const store = await newStore();
    const stored = await create(store, 1, { updatedAtMs: at('13:00:00') });

    await store.replace(stored, changed(stored, at('15:00:00')));

    expect(await found(store, '13:00:00', '14:00:00')).toEqual([]);
    expect(await found(store, '15:00:00', '15:00:01')).toEqual([
      { uuid: uuidOf(1), version: 2, notifyFromVersion: 1, updatedAtMs: at('15:00:00') },
    ]);
  });

  test('EV-10 a transaction that notified nobody is not found before it changes', async () => {
    const store = await newStore();
    const stored = await create(store, 1, { updatedAtMs: at('13:00:00'), version: 1, notifyFromVersion: 2 });
    await store.createMany([
      aNewTransaction({ uuid: uuidOf(2) }, { updatedAtMs: at('13:00:00'), notifyFromVersion: 2 }),
    ]);
    expect(await found(store, '13:00:00', '13:00:01')).toEqual([]);

    await store.replace(stored, changed(stored, at('13:00:01')));

    expect(await found(store, '13:00:00', '13:00:02')).toHaveLength(1);
  });

  test.each([
    ['after its deletion is not found: it notifies nobody', 1, []],
    ['while it was there is found: its deletion is to be sent', 0, [uuidOf(1)]],
  ] as const)('I20 S-61 a transaction that was erased %s', async (_, isDeleted, expected) => {
    const store = await newStore();
    const created = await store.create(
      aNewTransaction({ uuid: uuidOf(1), isDeleted }, { updatedAtMs: at('13:00:00') }),
    );
    if (!created.ok) throw new Error(created.reason);

    await store.replace(created.value, erasedState(created.value, at('15:00:00')));

    expect((await found(store, '13:00:00', '16:00:00')).map(({ uuid }) => uuid)).toEqual(expected);
  });

  test('V1-8 an hour is read in the order of its changes, across all parts of the index', async () => {
    const store = await newStore();
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
    for (const number of numbers) await create(store, number, { updatedAtMs: at('13:00:00') + 20 - number });

    const hour = { fromMs: at('13:00:00'), toMs: at('14:00:00') };
    const found = await takeAll(store.changedBetween(hour));

    expect(found.map(({ uuid }) => uuid)).toEqual(numbers.map(uuidOf).reverse());
  });
});

test('the part of the index is stored beside the transaction, and never in it', async () => {
  const access = await tables();
  const stored = await create(storeIn(access), 1, { updatedAtMs: at('13:00:00') });

  const Key = { uuid: uuidOf(1) };
  const { Item } = await engine.documents.send(new GetCommand({ TableName: access.transactionsTable, Key }));

  expect(Item?.changedIn).toMatch(/^2026-11-21T13#[0-3]$/);
  expect(await readerWithoutDrift(access).byUuid(uuidOf(1))).toEqual(stored);
});
