import { describe, expect, test } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { refuse, succeed } from '../../../../functions/shared/domain/outcome.ts';
import type { CloudQueueSource } from '../../../../localstack/cloudformation/model.ts';
import type { InvocationOutcome } from '../../../../localstack/lambda/function-pool.ts';
import { readQueue } from '../../../../localstack/lambda/queue-source.ts';
import type { QueueMessage } from '../../../../localstack/sqs/message.ts';
import type { Queue } from '../../../../localstack/sqs/queue.ts';

const queueArn = 'arn:aws:sqs:eu-west-2:000000000000:service-Ticks';
const done: InvocationOutcome = succeed('null');

/** A queue that shows as many messages, read until its first pause; each `answer` is to one event. */
const delivered = async (
  changes: Partial<CloudQueueSource>,
  count: number,
  answer: (stop: () => void) => InvocationOutcome | Promise<InvocationOutcome>,
) => {
  const messages = Array.from(
    { length: count },
    (_, index) =>
      ({
        ...{ messageId: `m-${index + 1}`, receiptHandle: `r-${index + 1}`, body: '{}' },
        ...{ attributes: {}, messageAttributes: {} },
      }) as QueueMessage,
  );
  const stopping = new AbortController();
  const events: string[][] = [];
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
    source: {
      ...{ id: 'Mapping', kind: 'queue', queueArn, functionId: 'PublishDormant' },
      ...{ batchSize: 10, maximumConcurrency: 1, reportsItemFailures: true },
      ...changes,
    },
    queue,
    invoke: async (event) => {
      events.push((event as SQSEvent).Records.map(({ messageId }) => messageId));
      return answer(() => stopping.abort());
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
      const { events, removed, asked, pauses, told } = await delivered({ batchSize }, 5, () => done);

      expect(events).toEqual(batches);
      expect(removed).toEqual(['r-1', 'r-2', 'r-3', 'r-4', 'r-5']);
      expect(asked).toEqual(Array(batches.length + 1).fill(max));
      expect(pauses).toEqual([250]);
      expect(told).toEqual([]);
    },
  );

  test('come as many batches at once as the source allows', async () => {
    const underWay: ((outcome: InvocationOutcome) => void)[] = [];
    const most: number[] = [];
    const allowed = { batchSize: 1, maximumConcurrency: 2 };
    const reading = delivered(allowed, 3, () => new Promise((resolve) => underWay.push(resolve)));
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
      const seen = await delivered({}, 2, () => answer);

      expect([seen.removed, seen.told]).toEqual([removed, [sentence]]);
    },
  );

  test('are neither removed nor told of when the stage stops meanwhile', async () => {
    const { removed, told } = await delivered({}, 1, (stop) => {
      stop();
      return refuse('ended its process with code 1');
    });

    expect(removed).toEqual([]);
    expect(told).toEqual([]);
  });
});
