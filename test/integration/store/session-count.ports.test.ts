import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { addTables } from '../../support/engine/engine.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryTransactions } from '../../support/memory/transactions.ts';

const engine = useEngine();
let sets = 0;

const realStore = async () => {
  sets += 1;
  await addTables(engine.client, `-${sets}`);
  return createTransactionWriter({
    documents: engine.documents,
    transactionsTable: `Transactions-${sets}`,
    listingTable: `Listing-${sets}`,
    requestsTable: `Requests-${sets}`,
    retryDelays: { random: () => 0.5, sleep: async () => {} },
  });
};

const sessionLimit = 4;
const createdAtMs = Date.parse('2026-03-01T12:00:00Z');
const of = (session: string, number: number) =>
  aNewTransaction({ uuid: uuidOf(number) }, { session, createdAtMs });

describe.each([
  ['DynamoDB engine', realStore],
  ['memory', async () => createMemoryTransactions()],
])('%s', (_name, newStore) => {
  test('S-41 of parallel creates only as many succeed as the session may have', async () => {
    const store = await newStore();
    await store.create(of('one', 1));

    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => store.create(of('one', index + 2), { sessionLimit })),
    );

    const reasons = outcomes.map((outcome) => (outcome.ok ? 'made' : outcome.reason));
    expect(reasons.filter((reason) => reason === 'made')).toHaveLength(3);
    expect(reasons.filter((reason) => reason === 'session-full')).toHaveLength(5);
  });

  test('S-41 a refused creation counts nothing, and sessions are counted separately', async () => {
    const store = await newStore();
    await store.create(of('one', 1));

    const taken = [];
    for (let again = 0; again < 5; again += 1) taken.push(await store.create(of('one', 1), { sessionLimit }));
    const others = [2, 3, 4, 5].map((number) => () => store.create(of('one', number), { sessionLimit }));
    const made = [];
    for (const create of others) made.push((await create()).ok);
    const another = await store.create(of('another', 6), { sessionLimit });

    expect(taken.map((outcome) => !outcome.ok && outcome.reason)).toEqual(Array(5).fill('uuid-taken'));
    expect(made).toEqual([true, true, true, false]);
    expect(another.ok).toBe(true);
  });

  test('V1-10 a session that is counted again can create as many as it has room for', async () => {
    const store = await newStore();
    for (const number of [1, 2, 3]) await store.create(of('user-A', number), { sessionLimit });
    const full = await store.create(of('user-A', 4), { sessionLimit });
    await store.recount('user-A', { count: 2, limit: sessionLimit });
    const more = [];
    for (const number of [5, 6, 7])
      more.push((await store.create(of('user-A', number), { sessionLimit })).ok);

    expect([full.ok, more]).toEqual([false, [true, true, false]]);
  });
});

test('V1-10 a counter below the limit is not set', async () => {
  const store = await realStore();
  await store.create(of('user-A', 1), { sessionLimit });
  await store.recount('user-A', { count: 0, limit: sessionLimit });
  const made = [];
  for (const number of [2, 3, 4]) made.push((await store.create(of('user-A', number), { sessionLimit })).ok);

  expect(made).toEqual([true, true, false]);
});

test('S-41 the first transaction of a session needs no counter; that of a second expires with its session, after 90 days', async () => {
  const store = await realStore();
  const items = async () => {
    return (await engine.documents.send(new ScanCommand({ TableName: `Requests-${sets}` }))).Items;
  };

  await store.create(of('one', 1));
  const afterOne = await items();
  await store.create(of('one', 2), { sessionLimit });

  expect(afterOne).toEqual([]);
  expect(await items()).toEqual([
    { pk: 'SESSION#one', sk: '0', made: 2, expiresAt: Date.parse('2026-05-30T12:00:00Z') / 1000 },
  ]);
});
