import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { faultProblem } from '../../../../../../functions/shared/middleware/faults.ts';
import { batchGet } from '../../../../../../functions/shared/store/dynamodb/batch-get.ts';

type Key = { uuid: string };
type Read = { Keys: Key[]; ProjectionExpression?: string };
type Request = { input: { RequestItems: { Transactions?: Read } } };

const keysTo = (count: number): Key[] =>
  Array.from({ length: count }, (_, index) => ({ uuid: `u${index + 1}` }));

/** An engine that answers at most this many keys of a request, and leaves the others unprocessed. */
const anEngine = (keysPerAnswer: number) => {
  const asked: string[][] = [];
  const projections: (string | undefined)[] = [];
  const waits: number[] = [];
  const send = async ({ input: { RequestItems } }: Request) => {
    const { Keys = [], ProjectionExpression } = RequestItems.Transactions ?? {};
    asked.push(Keys.map(({ uuid }) => uuid));
    projections.push(ProjectionExpression);
    const left = Keys.slice(keysPerAnswer);
    return {
      Responses: { Transactions: Keys.slice(0, keysPerAnswer) },
      UnprocessedKeys: left.length > 0 ? { Transactions: { Keys: left } } : {},
    };
  };
  const documents = { send } as unknown as DynamoDBDocumentClient;
  const retryDelays = { random: () => 0.5, sleep: async (milliseconds: number) => waits.push(milliseconds) };
  const read = (count: number, attributes?: string[]) =>
    batchGet(
      { documents, retryDelays },
      { table: 'Transactions', keys: keysTo(count), ...(attributes && { attributes }) },
    );
  return { read, asked, projections, waits };
};

test('STO-1 unprocessed keys are requested again, and no others', async () => {
  const { read, asked } = anEngine(2);

  expect(await read(5)).toEqual(keysTo(5));
  expect(asked).toEqual([['u1', 'u2', 'u3', 'u4', 'u5'], ['u3', 'u4', 'u5'], ['u5']]);
});

test('STO-1 a repeated request returns the same attributes', async () => {
  const { read, projections } = anEngine(2);

  await read(3, ['uuid', 'status']);

  expect(projections).toEqual(['#p0, #p1', '#p0, #p1']);
});

test('STO-1 each repeat waits for a random time, 50 ms doubling to 400', async () => {
  const { read, waits } = anEngine(1);

  await read(7);

  expect(waits).toEqual([25, 50, 100, 200, 200, 200]);
});

test('STO-1 more than 100 keys, the limit of a request, are read by several', async () => {
  const { read, asked } = anEngine(100);

  expect(await read(201)).toEqual(keysTo(201));
  expect(asked.map(({ length }) => length)).toEqual([100, 100, 1]);
});

test('ERR-4: keys that stay unprocessed for ten rounds are 503, not 500', async () => {
  const { read, asked } = anEngine(0);

  const fault = await read(1).catch((error: unknown) => error);

  expect(asked).toHaveLength(10);
  expect(faultProblem(fault)).toMatchObject({ problem: 'unavailable', headers: { 'Retry-After': '2' } });
});
