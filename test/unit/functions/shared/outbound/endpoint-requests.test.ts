import type { SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import { expect, test } from '@jest/globals';
import {
  createEndpointRequests,
  createLaterRequest,
} from '../../../../../functions/shared/outbound/endpoint-requests.ts';

const aQueue = () => {
  const taken: SendMessageBatchRequestEntry[] = [];
  const send = async ({
    input,
  }: {
    input: { QueueUrl: string; Entries: SendMessageBatchRequestEntry[] };
  }) => {
    expect(input.QueueUrl).toBe('Endpoints');
    taken.push(...input.Entries);
    return {};
  };
  return { taken, queue: { client: { send } as never, queueUrl: 'Endpoints' } };
};

test('EV-21 each partner to look at is a message of its own', async () => {
  const { taken, queue } = aQueue();

  await createEndpointRequests(queue).send([{ clientId: 'P1' }, { clientId: 'P2', isUndelivered: true }]);

  expect(taken).toEqual([
    { Id: '0', MessageBody: '{"clientId":"P1"}' },
    { Id: '1', MessageBody: '{"clientId":"P2","isUndelivered":true}' },
  ]);
});

test.each([
  [0, 1],
  [20_000, 21],
  [20_001, 22],
  [3_600_000, 900],
])(
  'EV-21 a partner to look at in %i ms is a message of the same queue, seen after %i s',
  async (ms, seconds) => {
    const { taken, queue } = aQueue();

    await createLaterRequest(queue)('P1', ms);

    expect(taken).toEqual([{ Id: '0', DelaySeconds: seconds, MessageBody: '{"clientId":"P1"}' }]);
  },
);
