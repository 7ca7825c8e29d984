import { expect, test } from '@jest/globals';
import { createEndpointRequests } from '../../../../../functions/shared/outbound/endpoint-requests.ts';

type Entry = { MessageBody: string; MessageGroupId: string; MessageDeduplicationId: string };

const aQueue = () => {
  const taken: Entry[] = [];
  const send = async ({ input }: { input: { QueueUrl: string; Entries: Entry[] } }) => {
    expect(input.QueueUrl).toBe('Endpoints');
    taken.push(...input.Entries);
    return {};
  };
  return { taken, requests: createEndpointRequests({ client: { send } as never, queueUrl: 'Endpoints' }) };
};

test('EV-21 each partner is a group of its own, so that one is worked on once at a time', async () => {
  const { taken, requests } = aQueue();

  await requests.send([
    { clientId: 'P1' },
    { clientId: 'P2', check: { id: 'c', url: 'https://p.example/' } },
  ]);
  await requests.send([{ clientId: 'P1' }]);

  expect(taken.map(({ MessageGroupId, MessageBody }) => [MessageGroupId, MessageBody])).toEqual([
    ['P1', '{"clientId":"P1"}'],
    ['P2', '{"clientId":"P2","check":{"id":"c","url":"https://p.example/"}}'],
    ['P1', '{"clientId":"P1"}'],
  ]);
  expect(new Set(taken.map(({ MessageDeduplicationId }) => MessageDeduplicationId)).size).toBe(3);
});

test('EV-21 dead letters of one partner are one message in five minutes, for which SQS remembers an id', async () => {
  const { taken, requests } = aQueue();

  await requests.send([
    { clientId: 'P1', isUndelivered: true },
    { clientId: 'P2', isUndelivered: true },
  ]);

  expect(taken.map(({ MessageDeduplicationId }) => MessageDeduplicationId)).toEqual([
    'undelivered-P1',
    'undelivered-P2',
  ]);
});
