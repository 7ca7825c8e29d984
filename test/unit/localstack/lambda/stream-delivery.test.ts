import { describe, expect, test } from '@jest/globals';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { refuse, succeed } from '../../../../functions/shared/domain/outcome.ts';
import type { CloudStreamSource } from '../../../../localstack/cloudformation/model.ts';
import type { InvocationOutcome } from '../../../../localstack/lambda/function-pool.ts';
import { createDelivery } from '../../../../localstack/lambda/stream-delivery.ts';
import { aRecord, memoryPositions, records } from '../../../support/stage/stream-source.ts';

const done: InvocationOutcome = succeed('null');
const threw: InvocationOutcome = refuse('threw Error: no');

/** An answer that names records as failed. */
const failing = (...numbers: number[]): InvocationOutcome =>
  succeed(JSON.stringify({ batchItemFailures: numbers.map((number) => ({ itemIdentifier: `${number}` })) }));

type Answer = (numbers: number[], call: number) => InvocationOutcome;

/** A delivery whose function answers as told for each batch of numbers; time passes in pauses only. */
const aDelivery = (changes: Partial<CloudStreamSource>, answer: Answer) => {
  const batches: number[][] = [];
  const pauses: number[] = [];
  const givenUp: unknown[] = [];
  const told: string[] = [];
  const { positions, saved } = memoryPositions();
  const stopping = new AbortController();
  let nowMs = Date.parse('2026-11-21T13:00:00Z');
  const deliver = createDelivery({
    source: {
      ...{ id: 'Mapping', functionId: 'Capture', kind: 'stream', table: 'Transactions', batchSize: 100 },
      functionArn: 'arn:aws:lambda:eu-west-2:000000000000:function:Capture',
      ...{ accepts: () => true, reportsItemFailures: true, bisects: false },
      ...{ maxRetries: Number.POSITIVE_INFINITY, maxAgeMs: Number.POSITIVE_INFINITY },
      ...changes,
    },
    streamArn: 'arn:aws:dynamodb:eu-west-2:000000000000:table/Transactions/stream/2026',
    positions,
    invoke: async (event) => {
      const { Records } = event as DynamoDBStreamEvent;
      const numbers = Records.map(({ dynamodb }) => Number(dynamodb?.SequenceNumber));
      batches.push(numbers);
      return answer(numbers, batches.length);
    },
    giveUp: async (record) => void givenUp.push(record),
    warn: (sentence) => told.push(sentence),
    pause: async (ms) => {
      pauses.push(ms);
      nowMs += ms;
    },
    now: () => new Date(nowMs),
    stopping: stopping.signal,
  });
  return { deliver, batches, pauses, givenUp, told, saved, stop: () => stopping.abort() };
};

describe('records on their way to a function', () => {
  test('come in their order, in batches, each saved when it is done', async () => {
    const { deliver, batches, saved, pauses } = aDelivery({ batchSize: 2 }, () => done);

    await deliver('s', records(1, 2, 3, 4, 5));

    expect(batches).toEqual([[1, 2], [3, 4], [5]]);
    expect(saved).toEqual(['s:2', 's:4', 's:5', 's:5']);
    expect(pauses).toEqual([]);
  });

  test('are passed over where the filter is of other ones, and are behind the position all the same', async () => {
    const isModified = (record: unknown) => (record as { eventName: string }).eventName === 'MODIFY';
    const { deliver, batches, saved } = aDelivery({ accepts: isModified }, () => done);

    await deliver('s', [aRecord(1), aRecord(2, { eventName: 'INSERT' })]);
    await deliver('s', [aRecord(3, { eventName: 'INSERT' })]);
    await deliver('s', []);

    expect(batches).toEqual([[1]]);
    expect(saved).toEqual(['s:1', 's:2', 's:3']);
  });

  test('wait for the lowest that failed: what is before it is done, what is behind it comes again', async () => {
    const { deliver, batches, saved, pauses, told } = aDelivery({}, (_, call) =>
      call === 1 ? failing(4, 3) : done,
    );

    await deliver('s', records(1, 2, 3, 4, 5));

    expect(batches).toEqual([
      [1, 2, 3, 4, 5],
      [3, 4, 5],
    ]);
    expect(saved).toEqual(['s:2', 's:5', 's:5']);
    expect(pauses).toEqual([500]);
    expect(told).toEqual(['it reported a failure, 3 records wait']);
  });

  test('come again, later each time and at most after half a minute, until the function does not fail', async () => {
    const { deliver, batches, pauses, told } = aDelivery({}, (_, call) => (call < 10 ? threw : done));

    await deliver('s', records(1, 2));

    expect(batches).toHaveLength(10);
    expect(new Set(batches.map(String))).toEqual(new Set(['1,2']));
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    expect(told).toEqual(['the function threw Error: no']);
  });

  test('are halved until the poisoned one is alone; only that is given up, with its sequence number and no data', async () => {
    const { deliver, batches, givenUp, saved, told } = aDelivery(
      { bisects: true, maxRetries: 2 },
      (numbers) => (numbers.includes(3) ? threw : done),
    );

    await deliver('s', records(1, 2, 3, 4, 5));

    expect(batches).toEqual([[1, 2, 3, 4, 5], [1, 2, 3], [1, 2], [3], [3], [3], [4, 5]]);
    expect(saved).toEqual(['s:2', 's:3', 's:5', 's:5']);
    expect(givenUp).toEqual([
      {
        requestContext: {
          requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          functionArn: 'arn:aws:lambda:eu-west-2:000000000000:function:Capture',
          condition: 'RetryAttemptsExhausted',
          approximateInvokeCount: 3,
        },
        responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
        version: '1.0',
        timestamp: '2026-11-21T13:00:02.500Z',
        DDBStreamBatchInfo: {
          shardId: 's',
          startSequenceNumber: '3',
          endSequenceNumber: '3',
          approximateArrivalOfFirstRecord: '2026-11-21T13:00:00Z',
          approximateArrivalOfLastRecord: '2026-11-21T13:00:00Z',
          batchSize: 1,
          streamArn: 'arn:aws:dynamodb:eu-west-2:000000000000:table/Transactions/stream/2026',
        },
      },
    ]);
    expect(told.at(-1)).toBe('1 records from number 3 on were given up');
  });

  const given = (startSequenceNumber: string, endSequenceNumber: string, functionError: string | null) => ({
    ...{ responseContext: { functionError }, DDBStreamBatchInfo: { startSequenceNumber, endSequenceNumber } },
  });
  test.each<[string, Partial<CloudStreamSource>, Answer, number[][], object[]]>([
    [
      'that the function names are halved too, once nothing before them is left',
      { bisects: true },
      (numbers) => (numbers.includes(2) ? failing(2) : done),
      [[1, 2, 3], [2, 3], [2], [3]],
      [given('2', '2', null)],
    ],
    [
      'have all their retries, even after failures of the batches before',
      {},
      (numbers) => (numbers.includes(2) && numbers.includes(1) ? failing(2) : failing(3)),
      [[1, 2, 3], [2, 3], [3]],
      [given('3', '3', null)],
    ],
    [
      'have all their retries, even after failures of the batches that were halved',
      { bisects: true },
      ([first = 0]) => failing(Math.max(first, 2)),
      [[1, 2, 3], [2, 3], [2], [3], [3]],
      [given('2', '2', null), given('3', '3', null)],
    ],
    [
      'are given up whole after their retries where they are not halved',
      {},
      () => threw,
      [
        [1, 2, 3],
        [1, 2, 3],
      ],
      [given('1', '3', 'Unhandled')],
    ],
  ])('%s', async (_, changes, answer, expectedBatches, expectedGivenUp) => {
    const { deliver, batches, givenUp, saved } = aDelivery({ maxRetries: 1, ...changes }, answer);

    await deliver('s', records(1, 2, 3));

    expect(batches).toEqual(expectedBatches);
    expect(givenUp).toMatchObject(expectedGivenUp);
    expect(saved.at(-1)).toBe('s:3');
  });

  test('are given up when they are too old, and younger ones are not', async () => {
    const { deliver, batches, givenUp } = aDelivery({ maxAgeMs: 60_000 }, () => done);

    await deliver('s', [
      aRecord(1, { arrivedAt: '2026-11-21T12:58:00Z' }),
      aRecord(2, { arrivedAt: '2026-11-21T12:58:59Z' }),
      aRecord(3, { arrivedAt: '2026-11-21T12:59:00Z' }),
    ]);

    expect(batches).toEqual([[3]]);
    expect(givenUp).toMatchObject([
      {
        requestContext: { condition: 'RecordAgeExceeded', approximateInvokeCount: 0 },
        DDBStreamBatchInfo: { startSequenceNumber: '1', endSequenceNumber: '2', batchSize: 2 },
      },
    ]);
  });

  test('that fail grow too old in the end, however many retries are allowed', async () => {
    const { deliver, batches, givenUp } = aDelivery({ maxAgeMs: 10_000 }, () => threw);

    await deliver('s', records(1));

    // After 0, 0.5, 1.5, 3.5 and 7.5 s; the next time would be after 15.5 s.
    expect(batches).toHaveLength(5);
    expect(givenUp).toMatchObject([{ requestContext: { condition: 'RecordAgeExceeded' } }]);
  });

  test('are not called done when the stage stops meanwhile', async () => {
    const { deliver, saved, told, stop } = aDelivery({}, () => {
      stop();
      return refuse('ended its process with code 1');
    });

    await deliver('s', records(1, 2));

    expect(saved).toEqual([]);
    expect(told).toEqual([]);
  });
});
