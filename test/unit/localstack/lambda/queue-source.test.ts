import { describe, expect, test } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { refuse, succeed } from '../../../../functions/shared/domain/outcome.ts';
import type { CloudQueueSource } from '../../../../localstack/cloudformation/model.ts';
import type { InvocationOutcome } from '../../../../localstack/lambda/function-pool.ts';
import { readQueue } from '../../../../localstack/lambda/queue-source.ts';
import type { QueueMessage } from '../../../../localstack/sqs/message.ts';
import type { Queue } from '../../../../localstack/sqs/queue.ts';

const queueArn = 'arn:aws:sqs:eu-west-2:000000000000:service-Ticks';
const done: InvocationOutcome = succeed('null');

const aMessage = (number: number) =>
  ({
    ...{ messageId: `m-${number}`, receiptHandle: `r-${number}`, body: '{}' },
    ...{ attributes: {}, messageAttributes: {} },
  }) as unknown as QueueMessage;

const aSource = (changes: Partial<CloudQueueSource>): CloudQueueSource => ({
  ...{ id: 'Mapping', kind: 'queue', queueArn, functionId: 'PublishDormant' },
  ...{ batchSize: 10, maximumConcurrency: 1, reportsItemFailures: true },
  ...changes,
});

/** A queue that shows these messages, read until its first pause; each `answer` is to one event. */
const delivered = async (
  changes: Partial<CloudQueueSource>,
  messages: QueueMessage[],
  answer: (ids: string[], stop: () => void) => InvocationOutcome,
) => {
  const stopping = new AbortController();
  const events: SQSRecord[][] = [];
  const removed: string[] = [];
  const asked: number[] = [];
  const pauses: number[] = [];
  const told: string[] = [];
  const queue: Queue = {
    arn: queueArn,
    url: 'http://queue',
    send: async () => ({ messageId: '' }),
    receive: async (max) => {
      asked.push(max);
      return messages.splice(0, max);
    },
    remove: async (receiptHandle) => void removed.push(receiptHandle),
  };
  await readQueue({
    source: aSource(changes),
    queue,
    invoke: async (event) => {
      const { Records } = event as { Records: SQSRecord[] };
      events.push(Records);
      return answer(
        Records.map(({ messageId }) => messageId),
        () => stopping.abort(),
      );
    },
    warn: (sentence) => told.push(sentence),
    pause: async (ms) => {
      pauses.push(ms);
      stopping.abort();
    },
    stopping: stopping.signal,
  });
  return { events, removed, asked, pauses, told };
};

describe('messages on their way to a function', () => {
  test.each([
    [2, 2, [['m-1', 'm-2'], ['m-3', 'm-4'], ['m-5']]],
    [100, 10, [['m-1', 'm-2', 'm-3', 'm-4', 'm-5']]],
  ])(
    'come in batches of %i, at most ten, without a pause, and are removed',
    async (batchSize, max, batches) => {
      const messages = [1, 2, 3, 4, 5].map((number) => aMessage(number));
      const { events, removed, asked, pauses, told } = await delivered({ batchSize }, messages, () => done);

      expect(events.map((records) => records.map(({ messageId }) => messageId))).toEqual(batches);
      expect(removed).toEqual(['r-1', 'r-2', 'r-3', 'r-4', 'r-5']);
      expect(asked).toEqual(Array(batches.length + 1).fill(max));
      expect(pauses).toEqual([250]);
      expect(told).toEqual([]);
    },
  );

  test('come as many batches at once as the source allows', async () => {
    const stopping = new AbortController();
    const messages = [1, 2, 3].map((number) => aMessage(number));
    const underWay: ((outcome: InvocationOutcome) => void)[] = [];
    const most: number[] = [];
    const reading = readQueue({
      source: aSource({ batchSize: 1, maximumConcurrency: 2 }),
      queue: {
        ...{
          arn: queueArn,
          url: 'http://queue',
          send: async () => ({ messageId: '' }),
          remove: async () => {},
        },
        receive: async (max) => messages.splice(0, max),
      },
      invoke: () => new Promise((resolve) => underWay.push(resolve)),
      warn: () => {},
      pause: async () => stopping.abort(),
      stopping: stopping.signal,
    });
    for (const _ of [1, 2, 3]) {
      await new Promise((resolve) => setImmediate(resolve));
      most.push(underWay.length);
      underWay.shift()?.(done);
    }
    await reading;

    expect(most).toEqual([2, 2, 1]);
  });

  test.each([
    ['names', succeed('{"batchItemFailures":[{"itemIdentifier":"m-2"}]}'), ['r-1'], '1 messages failed'],
    ['fails', refuse('timed out' as const), [], 'the function timed out'],
  ])(
    'stay in the queue: those that the function names, or all where it fails (%s)',
    async (_, answer, removed, sentence) => {
      const seen = await delivered({}, [aMessage(1), aMessage(2)], () => answer);

      expect([seen.removed, seen.told]).toEqual([removed, [sentence]]);
    },
  );

  test('are neither removed nor told of when the stage stops meanwhile', async () => {
    const { removed, told } = await delivered({}, [aMessage(1)], (_, stop) => {
      stop();
      return refuse('ended its process with code 1');
    });

    expect(removed).toEqual([]);
    expect(told).toEqual([]);
  });
});
