import { describe, expect, test } from '@jest/globals';
import { refuse, succeed } from '../../../../functions/shared/domain/outcome.ts';
import type { CloudStreamSource } from '../../../../localstack/cloudformation/model.ts';
import type { InvocationOutcome } from '../../../../localstack/lambda/function-pool.ts';
import { createDelivery } from '../../../../localstack/lambda/stream-delivery.ts';
import {
  aRecord,
  aStreamSource,
  failing,
  memoryPositions,
  numbersOf,
  records,
} from '../../../support/stage/stream-source.ts';

const done: InvocationOutcome = succeed('null');
const threw: InvocationOutcome = refuse('threw Error: no');

/** A delivery whose function answers as told for each batch of numbers; time passes in pauses only. */
const aDelivery = (
  changes: Partial<CloudStreamSource>,
  answer: (numbers: number[], call: number) => InvocationOutcome,
) => {
  const batches: number[][] = [];
  const pauses: number[] = [];
  const givenUp: unknown[] = [];
  const told: string[] = [];
  const { positions, saved } = memoryPositions();
  const stopping = new AbortController();
  let nowMs = Date.parse('2026-11-21T13:00:00Z');
  const deliver = createDelivery({
    source: aStreamSource(changes),
    streamArn: 'arn:aws:dynamodb:eu-west-2:000000000000:table/Transactions/stream/2026',
    positions,
    invoke: async (event) => {
      batches.push(numbersOf(event));
      return answer(numbersOf(event), batches.length);
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
    const onlyModified = aDelivery({ accepts: (record) => !isInsert(record) }, () => done);

    await onlyModified.deliver('s', [aRecord(1), aRecord(2, { eventName: 'INSERT' })]);
    await onlyModified.deliver('s', [aRecord(3, { eventName: 'INSERT' })]);
    await onlyModified.deliver('s', []);

    expect(onlyModified.batches).toEqual([[1]]);
    expect(onlyModified.saved).toEqual(['s:1', 's:2', 's:3']);
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

  test('that the function names are halved too, once nothing before them is left', async () => {
    const { deliver, batches, givenUp } = aDelivery({ bisects: true, maxRetries: 1 }, (numbers) =>
      numbers.includes(2) ? failing(2) : done,
    );

    await deliver('s', records(1, 2, 3));

    expect(batches).toEqual([[1, 2, 3], [2, 3], [2], [3]]);
    expect(givenUp).toMatchObject([
      { responseContext: { functionError: null }, DDBStreamBatchInfo: { startSequenceNumber: '2' } },
    ]);
  });

  test('have all their retries, even after failures of the batches before', async () => {
    const oneByOne = aDelivery({ maxRetries: 1 }, (numbers) =>
      numbers.includes(2) && numbers.includes(1) ? failing(2) : failing(3),
    );
    const halved = aDelivery({ bisects: true, maxRetries: 1 }, ([first = 0]) => failing(Math.max(first, 2)));

    await oneByOne.deliver('s', records(1, 2, 3));
    await halved.deliver('s', records(1, 2, 3));

    expect(oneByOne.batches).toEqual([[1, 2, 3], [2, 3], [3]]);
    expect(halved.batches).toEqual([[1, 2, 3], [2, 3], [2], [3], [3]]);
  });

  test('are given up whole after their retries where they are not halved', async () => {
    const { deliver, batches, givenUp, saved } = aDelivery({ maxRetries: 1 }, () => threw);

    await deliver('s', records(1, 2));

    expect(batches).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(givenUp).toMatchObject([{ DDBStreamBatchInfo: { batchSize: 2, endSequenceNumber: '2' } }]);
    expect(saved).toEqual(['s:2', 's:2']);
  });

  test('are given up when they are too old, and younger ones are not', async () => {
    const young = aRecord(3, { arrivedAt: '2026-11-21T12:59:00Z' });
    const { deliver, batches, givenUp } = aDelivery({ maxAgeMs: 60_000 }, () => done);

    await deliver('s', [
      aRecord(1, { arrivedAt: '2026-11-21T12:58:00Z' }),
      aRecord(2, { arrivedAt: '2026-11-21T12:58:59Z' }),
      young,
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

const isInsert = (record: unknown) => (record as { eventName: string }).eventName === 'INSERT';
