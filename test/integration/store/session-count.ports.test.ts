import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import {
  createTransactionWriter,
  type TransactionWriter,
} from '../../../functions/shared/store/transactions/writer.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryTransactions } from '../../support/memory/transactions.ts';

const engine = useEngine();

const realStore = async () => {
  const access = await newTables(engine);
  return { ...createTransactionWriter(access), access };
};

const sessionLimit = 4;
const createdAtMs = Date.parse('2026-03-01T12:00:00Z');
const of = (session: string, number: number) =>
  aNewTransaction({ uuid: uuidOf(number) }, { session, createdAtMs });
/** Creates these transactions one after the other: why each was refused, or that it was made. */
const makeEach = async (store: Pick<TransactionWriter, 'create'>, session: string, numbers: number[]) => {
  const outcomes: string[] = [];
  for (const number of numbers) {
    const outcome = await store.create(of(session, number), { sessionLimit });
    outcomes.push(outcome.ok ? 'made' : outcome.reason);
  }
  return outcomes;
};

describe.each([
  ['DynamoDB engine', realStore],
  ['memory', async () => createMemoryTransactions()],
])('%s', (_name, newStore) => {
  test('S-41 of parallel creates only as many succeed as the session may have', async () => {
    const store = await newStore();
    await store.create(of('one', 1));

    const numbers = [2, 3, 4, 5, 6, 7, 8, 9];
    const outcomes = await Promise.all(numbers.map((number) => makeEach(store, 'one', [number])));

    expect(outcomes.flat().sort()).toEqual([...Array(3).fill('made'), ...Array(5).fill('session-full')]);
  });

  test('S-41 a refused creation counts nothing, and sessions are counted separately', async () => {
    const store = await newStore();
    await store.create(of('one', 1));

    expect(await makeEach(store, 'one', [1, 1, 1, 1, 1])).toEqual(Array(5).fill('uuid-taken'));
    expect(await makeEach(store, 'one', [2, 3, 4, 5])).toEqual(['made', 'made', 'made', 'session-full']);
    expect(await makeEach(store, 'another', [6])).toEqual(['made']);
  });

  test('V1-10 a session that is counted again can create as many as it has room for', async () => {
    const store = await newStore();
    const first = await makeEach(store, 'user-A', [1, 2, 3, 4]);
    await store.recount('user-A', { count: 2, limit: sessionLimit });

    expect(first).toEqual(['made', 'made', 'made', 'session-full']);
    expect(await makeEach(store, 'user-A', [5, 6, 7])).toEqual(['made', 'made', 'session-full']);
  });
});

test('V1-10 a counter below the limit is not set', async () => {
  const store = await realStore();
  await store.create(of('user-A', 1), { sessionLimit });
  await store.recount('user-A', { count: 0, limit: sessionLimit });

  expect(await makeEach(store, 'user-A', [2, 3, 4])).toEqual(['made', 'made', 'session-full']);
});

test('S-41 the first transaction of a session needs no counter; that of a second expires with its session, after 90 days', async () => {
  const store = await realStore();
  const items = async () =>
    (await engine.documents.send(new ScanCommand({ TableName: store.access.requestsTable }))).Items;

  await store.create(of('one', 1));
  const afterOne = await items();
  await store.create(of('one', 2), { sessionLimit });

  expect(afterOne).toEqual([]);
  expect(await items()).toEqual([
    { pk: 'SESSION#one', sk: '0', made: 2, expiresAt: Date.parse('2026-05-30T12:00:00Z') / 1000 },
  ]);
});
