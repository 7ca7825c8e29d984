import { expect, test } from '@jest/globals';
import { refuse, succeed } from '../../../../functions/shared/domain/outcome.ts';
import type { Happening } from '../../../../localstack/feed/happening.ts';
import type { FunctionPool, InvocationOutcome } from '../../../../localstack/lambda/function-pool.ts';
import { withReportedCalls } from '../../../../localstack/lambda/reported-calls.ts';

const call = async (event: unknown, outcome: InvocationOutcome = succeed('null')) => {
  const told: Happening[] = [];
  const pool: FunctionPool = {
    ...{ name: 'a-function', logFile: 'a.log', stop: async () => {} },
    invoke: async () => outcome,
  };
  const answer = await withReportedCalls(pool, (happening) => told.push(happening)).invoke(event, 'request');
  return { told: told.map((one) => ('tookMs' in one ? { ...one, tookMs: 0 } : one)), answer };
};

const record = (uuid: string, notifyFromVersion = '2') => ({
  eventSource: 'aws:dynamodb',
  dynamodb: {
    Keys: { uuid: { S: uuid } },
    NewImage: { version: { N: '2' }, notifyFromVersion: { N: notifyFromVersion } },
  },
});

test.each([
  [
    'a request',
    { httpMethod: 'GET', path: '/api/v2/transaction', headers: { Authorization: 'Bearer secret' } },
    { by: 'request', method: 'GET', path: '/api/v2/transaction' },
  ],
  [
    'records of a stream',
    { Records: [record('a'), record('b'), record('a'), record('imported', '3')] },
    { by: 'stream', records: 4, uuids: ['a', 'b'] },
  ],
  ['messages of a queue', { Records: [{ eventSource: 'aws:sqs', body: '{}' }] }, { by: 'queue', records: 1 }],
  ['a schedule', {}, { by: 'schedule' }],
])('RUN-10 %s calls a function: told when it begins and when it ends', async (_, event, cause) => {
  const { told } = await call(event);

  expect(told).toEqual([
    { kind: 'called', function: 'a-function', cause },
    { kind: 'returned', function: 'a-function', cause, tookMs: 0 },
  ]);
});

test('RUN-10 the end of a call has its status or its failure, and goes on to who called', async () => {
  const ok = succeed('{"statusCode":201,"body":"a body"}');
  const failed = refuse('timed out' as const);

  expect((await call({}, ok)).told[1]).toMatchObject({ status: 201 });
  expect((await call({}, failed)).told[1]).toMatchObject({ failed: 'timed out' });
  expect((await call({}, failed)).answer).toBe(failed);
});
