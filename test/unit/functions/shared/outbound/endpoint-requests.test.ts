import { expect, test } from '@jest/globals';
import { createEndpointRequests } from '../../../../../functions/shared/outbound/endpoint-requests.ts';

type Entry = { MessageBody: string; MessageGroupId: string; MessageDeduplicationId: string };

const aQueue = (answer: object = {}) => {
  const batches: Entry[][] = [];
  const send = async ({ input }: { input: { QueueUrl: string; Entries: Entry[] } }) => {
    expect(input.QueueUrl).toBe('Endpoints');
    batches.push(input.Entries);
    return answer;
  };
  return { batches, requests: createEndpointRequests({ client: { send } as never, queueUrl: 'Endpoints' }) };
};

test('each partner is its own message group, so that one invocation at a time works on it', async () => {
  const { batches, requests } = aQueue();

  await requests.send([
    { clientId: 'P1' },
    { clientId: 'P2', check: { id: 'c', url: 'https://p.example/' } },
  ]);
  await requests.send([{ clientId: 'P1' }]);

  expect(batches.flat().map(({ MessageGroupId, MessageBody }) => [MessageGroupId, MessageBody])).toEqual([
    ['P1', '{"clientId":"P1"}'],
    ['P2', '{"clientId":"P2","check":{"id":"c","url":"https://p.example/"}}'],
    ['P1', '{"clientId":"P1"}'],
  ]);
  expect(new Set(batches.flat().map(({ MessageDeduplicationId }) => MessageDeduplicationId)).size).toBe(3);
});

test('dead letters of one partner are one message in five minutes, the time of SQS deduplication', async () => {
  const { batches, requests } = aQueue();

  await requests.send([
    { clientId: 'P1', isUndelivered: true },
    { clientId: 'P2', isUndelivered: true },
  ]);

  expect(batches.flat().map(({ MessageDeduplicationId }) => MessageDeduplicationId)).toEqual([
    'undelivered-P1',
    'undelivered-P2',
  ]);
});

test('more than ten messages need several requests', async () => {
  const { batches, requests } = aQueue();

  await requests.send(Array.from({ length: 21 }, (_, index) => ({ clientId: `P${index}` })));

  expect(batches.map((batch) => batch.length)).toEqual([10, 10, 1]);
});

test('messages that the queue does not accept are a fault', async () => {
  const { requests } = aQueue({ Failed: [{ Id: '0' }] });

  await expect(requests.send([{ clientId: 'P1' }])).rejects.toThrow('The queue did not accept 1 messages');
});
