import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { faultProblem } from '../../../../../../functions/shared/middleware/faults.ts';
import { batchGet, gathering } from '../../../../../../functions/shared/store/dynamodb/batch-get.ts';

type Key = { uuid: string };
type Read = { Keys: Key[]; ProjectionExpression?: string };
type Request = { input: { RequestItems: Record<string, Read> } };

const keysTo = (count: number): Key[] =>
  Array.from({ length: count }, (_, index) => ({ uuid: `u${index + 1}` }));

/** An engine that answers at most so many keys of a table and request, and leaves the others. */
const anEngine = (keysPerAnswer: number) => {
  const asked: string[][] = [];
  const requests: string[] = [];
  const waits: number[] = [];
  const send = async ({ input: { RequestItems } }: Request) => {
    const tables = Object.entries(RequestItems);
    asked.push(tables.flatMap(([, { Keys }]) => Keys.map(({ uuid }) => uuid)));
    requests.push(tables.map(([table, { Keys, ...read }]) => nameOf(table, Keys, read)).join(' '));
    const left = tables.filter(([, { Keys }]) => Keys.length > keysPerAnswer);
    return {
      Responses: Object.fromEntries(tables.map(([table, { Keys }]) => [table, Keys.slice(0, keysPerAnswer)])),
      UnprocessedKeys: Object.fromEntries(
        left.map(([table, { Keys }]) => [table, { Keys: Keys.slice(keysPerAnswer) }]),
      ),
    };
  };
  const documents = { send } as unknown as DynamoDBDocumentClient;
  const retryDelays = { random: () => 0.5, sleep: async (milliseconds: number) => waits.push(milliseconds) };
  const read = (count: number) =>
    batchGet({ documents, retryDelays }, { table: 'Transactions', keys: keysTo(count) });
  return { access: { documents, retryDelays }, read, asked, requests, waits };
};

const nameOf = (table: string, keys: Key[], { ProjectionExpression = '*' }: Partial<Read>) =>
  `${table}:${keys.length}:${ProjectionExpression}`;

test('STO-1 keys that were left unprocessed are asked for again, and no others', async () => {
  const { read, asked } = anEngine(2);

  expect(await read(5)).toEqual(keysTo(5));
  expect(asked).toEqual([['u1', 'u2', 'u3', 'u4', 'u5'], ['u3', 'u4', 'u5'], ['u5']]);
});

test('STO-1 an engine at its limit is given time: each round waits at random, 50 ms doubling to 400', async () => {
  const { read, waits } = anEngine(1);

  await read(7);

  expect(waits).toEqual([25, 50, 100, 200, 200, 200]);
});

test('STO-1 more keys than a request may hold, 100, are read by several', async () => {
  const { read, asked } = anEngine(100);

  expect(await read(201)).toEqual(keysTo(201));
  expect(asked.map(({ length }) => length)).toEqual([100, 100, 1]);
});

test('ERR-4: keys that an engine at its limit leaves unprocessed for ten rounds are 503, not 500', async () => {
  const { read, asked } = anEngine(0);

  const fault = await read(1).catch((error: unknown) => error);

  expect(asked).toHaveLength(10);
  expect(faultProblem(fault)).toMatchObject({ problem: 'unavailable', headers: { 'Retry-After': '2' } });
});

describe('reads that are gathered', () => {
  test('STO-4 those of one turn share a request, each with what it is answered', async () => {
    const { access, requests } = anEngine(100);
    const gathered = gathering(access);

    const [records, counters] = await Promise.all([
      batchGet(gathered, { table: 'Transactions', keys: keysTo(3), attributes: ['uuid'] }),
      batchGet(gathered, { table: 'Listing', keys: keysTo(1) }),
    ]);

    expect([records, counters]).toEqual([keysTo(3), keysTo(1)]);
    expect(requests).toEqual(['Transactions:3:#p0 Listing:1:*']);
    expect(await batchGet(gathered, { table: 'Listing', keys: keysTo(2) })).toEqual(keysTo(2));
    expect(requests).toHaveLength(2);
  });

  test('STO-1 a request names a table once, and has at most 100 keys', async () => {
    const { access, requests } = anEngine(100);
    const gathered = gathering(access);

    const found = await Promise.all([
      batchGet(gathered, { table: 'Transactions', keys: keysTo(60) }),
      batchGet(gathered, { table: 'Transactions', keys: keysTo(2) }),
      batchGet(gathered, { table: 'Listing', keys: keysTo(41) }),
      batchGet(gathered, { table: 'Partners', keys: [] }),
    ]);

    expect(found).toEqual([keysTo(60), keysTo(2), keysTo(41), []]);
    expect(requests).toEqual(['Transactions:2:*', 'Listing:41:*', 'Transactions:60:*']);
  });

  test('STO-1 what was left of two tables is asked for again as before', async () => {
    const { access, requests } = anEngine(2);
    const gathered = gathering(access);

    const found = await Promise.all([
      batchGet(gathered, { table: 'Transactions', keys: keysTo(3), attributes: ['uuid'] }),
      batchGet(gathered, { table: 'Listing', keys: keysTo(1) }),
    ]);

    expect(found).toEqual([keysTo(3), keysTo(1)]);
    expect(requests).toEqual(['Transactions:3:#p0 Listing:1:*', 'Transactions:1:#p0']);
  });

  test('a request that fails is a failure of each', async () => {
    const send = async () => {
      throw new TypeError('no');
    };
    const gathered = gathering({ documents: { send } as unknown as DynamoDBDocumentClient });

    const reads = await Promise.allSettled(
      ['Transactions', 'Listing'].map((table) => batchGet(gathered, { table, keys: keysTo(1) })),
    );

    expect(reads.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
