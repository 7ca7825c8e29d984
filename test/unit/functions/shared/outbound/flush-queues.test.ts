import type { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, test } from '@jest/globals';
import {
  createCompletionRequest,
  createTestRequest,
  createWorkerRequest,
  flushMessageOf,
  sendTicks,
} from '../../../../../functions/shared/outbound/flush-queues.ts';

/** A queue that refuses the messages with these ids, as often as that. */
const aQueue = (refused: string[] = [], refusals = 0) => {
  const requests: SendMessageBatchCommand['input'][] = [];
  let left = refusals * refused.length;
  const send = async ({ input }: SendMessageBatchCommand) => {
    requests.push(input);
    const Failed = (input.Entries ?? []).filter(({ Id = '' }) => refused.includes(Id) && left-- > 0);
    return { Failed };
  };
  const sent = () => requests.map(({ Entries = [] }) => Entries.map(({ Id }) => Id));
  return {
    requests,
    sent,
    client: { send } as unknown as Pick<SQSClient, 'send'>,
    queueUrl: 'https://queue',
  };
};

test('I23 the message for a worker has the due shard as its group, and is deduplicated by shard and tick', async () => {
  const queue = aQueue();

  await createWorkerRequest(queue)([3, 16], 'tick-177210720');

  expect(queue.requests).toEqual([
    {
      QueueUrl: 'https://queue',
      Entries: [
        {
          ...{ Id: 'shard-3', MessageBody: 'shard 3' },
          ...{ MessageGroupId: '3', MessageDeduplicationId: '3/tick-177210720' },
        },
        {
          ...{ Id: 'shard-16', MessageBody: 'shard 16' },
          ...{ MessageGroupId: '16', MessageDeduplicationId: '16/tick-177210720' },
        },
      ],
    },
  ]);
});

const shards = Array.from({ length: 17 }, (_, shard) => shard);

test('EV-24 one request takes ten messages, and what the queue refuses is sent once more, alone', async () => {
  const queue = aQueue(['shard-3', 'shard-16'], 1);

  await createWorkerRequest(queue)(shards, 'one');

  const ids = shards.map((shard) => `shard-${shard}`);
  expect(queue.sent()).toEqual([ids.slice(0, 10), ids.slice(10), ['shard-3', 'shard-16']]);
});

test.each([[['shard-3']], [['shard-3', 'shard-16']]])(
  'EV-24 what the queue refuses twice is a fault: %j',
  async (refused) => {
    const request = createWorkerRequest(aQueue(refused, 2))(shards, 'one');

    await expect(request).rejects.toThrow(`The queue did not accept ${refused.length} messages`);
  },
);

test('EV-16 the message of a completion has only the uuid of its transaction, without group and delay', async () => {
  const queue = aQueue();

  await createCompletionRequest(queue)('1e0c-abcd');

  expect(queue.requests).toEqual([
    { QueueUrl: 'https://queue', Entries: [{ Id: 'completed', MessageBody: 'completed 1e0c-abcd' }] },
  ]);
});

test('V2-12 S-87 the message of a test has the partner and the id, and neither an address nor a signature', async () => {
  const queue = aQueue();

  await createTestRequest(queue)('P1', '1e0c-abcd');

  expect(queue.requests).toEqual([
    { QueueUrl: 'https://queue', Entries: [{ Id: 'test', MessageBody: 'test P1 1e0c-abcd' }] },
  ]);
});

test('EV-20 a tick is a message without content, after its delay', async () => {
  const queue = aQueue();

  await sendTicks(queue, [0, 10]);

  expect(queue.requests[0]?.Entries).toEqual([
    { Id: 'after-0', DelaySeconds: 0, MessageBody: '-' },
    { Id: 'after-10', DelaySeconds: 10, MessageBody: '-' },
  ]);
});

test.each([
  ['-', { asks: 'poll' }],
  ['shard 16', { asks: 'shard', shard: 16 }],
  ['completed 1e0c-abcd', { asks: 'completion', uuid: '1e0c-abcd' }],
  ['test P1 1e0c-abcd', { asks: 'test', clientId: 'P1', eventId: '1e0c-abcd' }],
] as const)('EV-24 a message with the body "%s" is read as it was written', (body, message) => {
  expect(flushMessageOf(body)).toEqual(message);
});

test.each([
  '',
  'poll 3 of 8',
  'a shard 3',
  'shard',
  'completed',
  'shard 3 4',
  'completed a b',
  'test P1',
  'test P1 a b',
])('EV-24 a body with unknown content is a tick: "%s"', (body) => {
  expect(flushMessageOf(body)).toEqual({ asks: 'poll' });
});
