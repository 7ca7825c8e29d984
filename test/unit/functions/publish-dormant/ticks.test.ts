import type { SendMessageBatchCommand, SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, test } from '@jest/globals';
import { createDelayedTicks, createNextTick } from '../../../../functions/publish-dormant/ticks.ts';
import { tickDelays } from '../../../../functions/shared/domain/event/timing.ts';
import { createFlushRequest } from '../../../../functions/shared/outbound/tick-queue.ts';

/** A queue that refuses some messages at some of its requests. */
const aQueue = (refuses: (entry: SendMessageBatchRequestEntry, request: number) => boolean = () => false) => {
  const requests: SendMessageBatchRequestEntry[][] = [];
  const send = async ({ input: { Entries = [], QueueUrl } }: SendMessageBatchCommand) => {
    expect(QueueUrl).toBe('https://queue');
    requests.push(Entries);
    const Failed = Entries.filter((entry) => refuses(entry, requests.length)).map(({ Id }) => ({ Id }));
    return { Failed };
  };
  return { requests, client: { send } as unknown as Pick<SQSClient, 'send'> };
};

const seventeen = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160, 170];

describe('the delayed ticks', () => {
  test('are a message every ten seconds up to 170 s, so that those of two runs overlap', async () => {
    const { requests, client } = aQueue();

    await createDelayedTicks({ client, queueUrl: 'https://queue', tickSeconds: 10 })();

    expect(requests.flat().map(({ DelaySeconds }) => DelaySeconds)).toEqual(seventeen);
  });

  test('go in batches of at most ten, each message with an id of its own and no content', async () => {
    const { requests, client } = aQueue();

    await createDelayedTicks({ client, queueUrl: 'https://queue', tickSeconds: 10 })();

    expect(requests.map(({ length }) => length)).toEqual([10, 7]);
    expect(new Set(requests.flat().map(({ Id }) => Id)).size).toBe(17);
    expect(new Set(requests.flat().map(({ MessageBody }) => MessageBody))).toEqual(new Set(['-']));
  });

  test('that the queue did not take are sent once more, and nothing else', async () => {
    const { requests, client } = aQueue(({ DelaySeconds }, request) => request <= 2 && DelaySeconds === 150);

    await createDelayedTicks({ client, queueUrl: 'https://queue', tickSeconds: 10 })();

    expect(requests[2]?.map(({ DelaySeconds }) => DelaySeconds)).toEqual([150]);
  });

  test('that the queue does not take twice are a fault', async () => {
    const { client } = aQueue(({ DelaySeconds }) => DelaySeconds === 150 || DelaySeconds === 20);

    const sent = createDelayedTicks({ client, queueUrl: 'https://queue', tickSeconds: 10 })();

    await expect(sent).rejects.toThrow('The queue did not take 2 ticks');
  });
});

test('the next tick is one message without delay', async () => {
  const { requests, client } = aQueue();

  await createNextTick({ client, queueUrl: 'https://queue' })();

  expect(requests.flat().map(({ DelaySeconds }) => DelaySeconds)).toEqual([0]);
});

test('EV-16 a flush that is asked for is asked twice, at once and a second later, since the index may be late', async () => {
  const { requests, client } = aQueue();

  await createFlushRequest({ client, queueUrl: 'https://queue' })();

  expect(requests.flat().map(({ DelaySeconds }) => DelaySeconds)).toEqual([0, 1]);
});

test.each([
  [1, 170, 170],
  [10, 17, 170],
  [20, 8, 160],
  [7, 24, 168],
])('RUN-3 ticks every %s s are %s messages, the last after %s s', (tickSeconds, count, last) => {
  const delays = tickDelays(tickSeconds);

  expect([delays.length, delays.at(-1)]).toEqual([count, last]);
});
