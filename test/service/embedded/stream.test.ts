import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { openQueues, type Queues } from '../../../localstack/embedded/aws/queues.ts';
import type { StageClock } from '../../../localstack/embedded/clock.ts';
import type { CallOutcome } from '../../../localstack/embedded/instances.ts';
import { openState, type State } from '../../../localstack/embedded/state.ts';
import { serveStream } from '../../../localstack/embedded/stream.ts';
import { holdDate } from '../../support/stage/held-date.ts';
import { aStreamRecord, startStreamEngine } from '../../support/stage/stream-engine.ts';

let folder: string;
let state: State;
let queues: Queues;
let date: ReturnType<typeof holdDate>;
let server: Awaited<ReturnType<typeof startStreamEngine>>;
let aheadMs = 0;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stream-'));
  date = holdDate();
  state = openState(join(folder, 'state.db'));
  queues = openQueues(state);
  server = await startStreamEngine();
  aheadMs = 0;
});
afterEach(async () => {
  jest.useRealTimers();
  await server.stop();
  state.close();
  rmSync(folder, { recursive: true });
});

const done: CallOutcome = { ok: true, value: 'null' };
const threw: CallOutcome = { ok: false, reason: 'threw Error: no' };
const failing = (...numbers: number[]): CallOutcome => ({
  ok: true,
  value: JSON.stringify({ batchItemFailures: numbers.map((number) => ({ itemIdentifier: `${number}` })) }),
});
const records = (...numbers: number[]) => numbers.map((number) => aStreamRecord(number));
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** The pauses between tries of a batch, which pass time; the others only let other work go on. */
const retryPauses = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

/** Reads the stream to its end with a function that answers as told. */
const read = async (answer: (numbers: number[], call: number, stop: () => void) => CallOutcome) => {
  const batches: number[][] = [];
  const events: DynamoDBStreamEvent[] = [];
  const pauses: number[] = [];
  const warnings: string[] = [];
  const stopping = new AbortController();
  const clock = {
    aheadMs: () => aheadMs,
    pause: async (ms: number) => {
      if (retryPauses.includes(ms)) {
        pauses.push(ms);
        date.pass(ms);
      }
      await new Promise(setImmediate);
    },
  } as unknown as StageClock;
  const reader = await serveStream({
    ...{ clock, queues, state, endpoint: server.url, table: 'Transactions', stopping: stopping.signal },
    warn: (sentence) => void warnings.push(sentence),
    invoke: async (_, event) => {
      events.push(event as DynamoDBStreamEvent);
      const numbers = (event as DynamoDBStreamEvent).Records.map(({ dynamodb }) =>
        Number(dynamodb?.SequenceNumber),
      );
      batches.push(numbers);
      return answer(numbers, batches.length, () => stopping.abort());
    },
  });
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
  await Promise.race([reader.caughtUp(), stopped]);
  stopping.abort();
  return { batches, events, pauses, warnings };
};
const positionOf = (shard: string) => state.records<{ after?: string }>('position').get(shard)?.after;
const givenUp = () => queues.receive('given-up', 10).map(({ body }) => JSON.parse(body));

describe('records on their way to the function', () => {
  test('EMB-9 come in order, in batches of 100; records of other kinds are passed over and are behind the position', async () => {
    const removed = [250, 251].map((number) => aStreamRecord(number, { eventName: 'REMOVE' }));
    server.engine.shards = [{ id: 's', records: [...records(...range(1, 249)), ...removed] }];

    const { batches, pauses } = await read(() => done);

    expect(batches).toEqual([range(1, 100), range(101, 200), range(201, 249)]);
    expect([pauses, positionOf('s')]).toEqual([[], '251']);
  });

  test('EMB-9 have the shape that Lambda gives them: seconds, Base64 and the stream', async () => {
    server.engine.shards = [{ id: 's', records: [aStreamRecord(1, { atMs: 1_795_262_400_900 })] }];

    const { events } = await read(() => done);

    expect(events).toEqual([
      {
        Records: [
          {
            ...{ eventID: 'e1', eventName: 'MODIFY', eventVersion: '1.1', eventSource: 'aws:dynamodb' },
            ...{ awsRegion: 'eu-west-2', eventSourceARN: 'arn:stream/1' },
            dynamodb: {
              ApproximateCreationDateTime: 1_795_262_400,
              Keys: { pk: { S: 'item 1' } },
              NewImage: { pk: { S: 'item 1' }, bytes: { B: 'AQI=' }, list: { L: [{ B: 'AQI=' }] } },
              SequenceNumber: '1',
            },
          },
        ],
      },
    ]);
  });

  test('EMB-9 wait for the lowest that failed: what is before it is done, what is behind it comes again', async () => {
    server.engine.shards = [{ id: 's', records: records(1, 2, 3, 4, 5) }];

    const { batches, pauses, warnings } = await read((_, call) => (call === 1 ? failing(4, 3) : done));

    expect(batches).toEqual([
      [1, 2, 3, 4, 5],
      [3, 4, 5],
    ]);
    expect(pauses).toEqual([500]);
    expect(warnings).toEqual(['capture-change, by its stream: it reported a failure, 3 records wait.']);
  });

  test('EMB-9 are halved until the poisoned one is alone; that one has five retries, ever later, and is given up without its content', async () => {
    server.engine.shards = [{ id: 's', records: records(1, 2, 3, 4, 5) }];

    const { batches, pauses, warnings } = await read((numbers) => (numbers.includes(3) ? threw : done));

    expect(batches).toEqual([[1, 2, 3, 4, 5], [1, 2, 3], [1, 2], ...Array(6).fill([3]), [4, 5]]);
    expect(pauses).toEqual([500, 500, 500, 1_000, 2_000, 4_000, 8_000]);
    expect(positionOf('s')).toBe('5');
    expect(givenUp()).toEqual([
      {
        requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 6 },
        DDBStreamBatchInfo: {
          ...{ shardId: 's', startSequenceNumber: '3', endSequenceNumber: '3', batchSize: 1 },
          streamArn: 'arn:stream/1',
        },
      },
    ]);
    expect(warnings.at(-1)).toBe('capture-change, by its stream: 1 records from number 3 on were given up.');
  });

  test('EMB-9 that the function names are halved too; the failure of the whole batch counts for its first record alone', async () => {
    server.engine.shards = [{ id: 's', records: records(1, 2, 3) }];

    const { batches } = await read(([first = 0]) => failing(Math.max(first, 2)));

    expect(batches).toEqual([[1, 2, 3], [2, 3], ...Array(5).fill([2]), ...Array(6).fill([3])]);
    expect(givenUp()).toMatchObject([
      { DDBStreamBatchInfo: { startSequenceNumber: '2' } },
      { DDBStreamBatchInfo: { startSequenceNumber: '3' } },
    ]);
  });

  test('EMB-9 have all their retries, also after failures of the records before them', async () => {
    server.engine.shards = [{ id: 's', records: records(1, 2, 3) }];

    const { batches } = await read((numbers) => (numbers.includes(1) ? failing(2) : failing(3)));

    expect(batches).toEqual([[1, 2, 3], [2, 3], ...Array(5).fill([3])]);
  });

  test('EMB-9 RUN-12 are given up after six hours of the machine’s time, which a moved clock does not shorten', async () => {
    const nowMs = Date.parse('2026-11-21T12:00:00Z');
    const sixHoursMs = 21_600_000;
    aheadMs = 31 * 86_400_000;
    date.pass(aheadMs);
    const ages = [sixHoursMs + 2_000, sixHoursMs + 1_000, sixHoursMs, 0];
    server.engine.shards = [
      { id: 's', records: ages.map((ageMs, index) => aStreamRecord(index + 1, { atMs: nowMs - ageMs })) },
    ];

    const { batches } = await read(() => done);

    expect(batches).toEqual([[3, 4]]);
    expect(givenUp()).toMatchObject([
      {
        requestContext: { condition: 'RecordAgeExceeded', approximateInvokeCount: 0 },
        DDBStreamBatchInfo: { startSequenceNumber: '1', endSequenceNumber: '2', batchSize: 2 },
      },
    ]);
  });

  test('EMB-9 are not called done when the stage ends meanwhile, except those before a failure', async () => {
    server.engine.shards = [{ id: 's', records: records(1, 2) }];
    const whole = await read((_numbers, _call, stop) => {
      stop();
      return threw;
    });
    const position = positionOf('s');
    await read((_numbers, call, stop) => {
      if (call === 2) stop();
      return call === 1 ? failing(2) : threw;
    });

    expect([position, whole.warnings, positionOf('s')]).toEqual([undefined, [], '1']);
  });
});

describe('positions', () => {
  test('EMB-9 RUN-1 a start goes on behind the last record that was done; a table that was created again is read from its beginning', async () => {
    server.engine.shards = [{ id: 's', records: records(1, 2) }];
    await read(() => done);
    server.engine.shards[0]?.records.push(...records(3));
    const next = await read(() => done);
    server.engine.streamArn = 'arn:stream/2';
    const again = await read(() => done);

    expect([next.batches, again.batches]).toEqual([[[3]], [[1, 2, 3]]]);
  });

  test('EMB-9 a shard is read after its parent, and not again when it is finished', async () => {
    server.engine.shards = [
      { id: 'child', parent: 'parent', records: records(3) },
      { id: 'parent', isClosed: true, records: records(1, 2) },
    ];
    const first = await read(() => done);
    const second = await read(() => done);

    expect([first.batches, second.batches]).toEqual([[[1, 2], [3]], []]);
  });

  test('EMB-9 a fault of the stream is told when it comes twice, and nothing is lost or done twice', async () => {
    server.engine.shards = [{ id: 's', records: records(1, 2) }];
    server.engine.refused = ['ExpiredIteratorException'];
    const once = await read(() => done);
    server.engine.shards[0]?.records.push(...records(3));
    server.engine.refused = ['InternalServerError', 'InternalServerError'];
    const twice = await read(() => done);

    expect([once.batches, once.warnings, twice.batches]).toEqual([[[1, 2]], [], [[3]]]);
    expect(twice.warnings).toEqual([expect.stringMatching(/^capture-change: its stream cannot be read: /)]);
  });
});
