import { expect, test } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { createHandler } from '../../../../functions/keep-endpoints/handler.ts';
import { createPollLater } from '../../../../functions/keep-endpoints/poll-later.ts';
import type { EndpointMessage } from '../../../../functions/shared/outbound/endpoint-requests.ts';
import { anEndpointWorld, createMemoryInspections } from '../../../support/memory/endpoint-world.ts';
import { endpointsOver } from '../../../support/memory/partners.ts';

const clientId = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const batchOf = (...bodies: string[]) => ({
  Records: bodies.map((body, index) => ({ messageId: `m${index}`, body })) as SQSRecord[],
});

const aHandler = () => {
  const world = anEndpointWorld();
  const requested: EndpointMessage[] = [];
  const { readMany, clientIds } = endpointsOver(world.partners, world.webhookSwitch);
  const handler = createHandler({
    ...world.deps,
    endpoints: { ...world.deps.endpoints, readMany, clientIds },
    requests: { send: async (messages) => void requested.push(...messages) },
    inspections: createMemoryInspections(),
    wait: async () => {},
  });
  return { ...world, handler, requested };
};

test('a message of the FIFO queue is handled, and one that names an address is a check', async () => {
  const { handler, create, status, calls } = aHandler();
  await create();

  const answers = [
    await handler(batchOf(JSON.stringify({ clientId, check: { id: 'c', url: 'https://p.example/' } }))),
    await handler(batchOf(JSON.stringify({ clientId }))),
  ];

  expect(answers).toEqual([{ batchItemFailures: [] }, { batchItemFailures: [] }]);
  expect(await status()).toMatchObject({ state: 'on', checked: { id: 'c' } });
  expect(calls).toContain('PutTargets');
});

test('a dead delivery is passed to the decision', async () => {
  const { handler, create, invoke, passTime, probed } = aHandler();
  await create();
  await invoke({ clientId });
  await passTime(600_000);
  const before = probed.length;

  await handler(batchOf(JSON.stringify({ clientId, isUndelivered: true })));

  expect(probed).toHaveLength(before + 1);
});

test('a delayed message goes to the FIFO queue, and does nothing else', async () => {
  const { handler, create, requested, calls } = aHandler();
  await create();

  await handler(
    batchOf(JSON.stringify({ clientId, isLater: true }), JSON.stringify({ clientId: 'P2', isLater: true })),
  );

  expect(requested).toEqual([{ clientId }, { clientId: 'P2' }]);
  expect(calls).toEqual([]);
});

test('an unknown message fails by itself, and is logged', async () => {
  const { handler, requested, logged } = aHandler();

  const answer = await handler(batchOf('no', '{"clientId":""}', JSON.stringify({ clientId, isLater: true })));

  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'm0' }, { itemIdentifier: 'm1' }] });
  expect(requested).toEqual([{ clientId }]);
  expect(logged.map((line) => (line as unknown[])[0])).toEqual(['recordFailed', 'recordFailed']);
});

test('its schedule polls partners in turn, sends a message for those that need work, and counts those that could not be repaired', async () => {
  const { handler, create, requested, reported, logged, status } = aHandler();
  await create();

  await handler({ every: 'rate(10 minutes)' });
  await handler({ every: 'rate(10 minutes)' });

  expect(requested).toEqual([{ clientId }, { clientId }]);
  expect(await status()).toBeUndefined();
  expect(reported).toEqual([{ differingEndpoints: 0 }, { differingEndpoints: 1 }]);
  expect(logged).toContainEqual(['endpointsSeen', { partners: 1, differing: 1 }]);
});

test('a bus that cannot be read fails the invocation of the schedule, which is counted', async () => {
  const { handler, create, memory, reported } = aHandler();
  await create();
  memory.send = (async () => {
    throw new Error('no bus');
  }) as never;

  await expect(handler({})).rejects.toThrow('no bus');
  expect(reported).toEqual([{ differingEndpoints: 0 }]);
});

test.each([
  [0, 1],
  [4_001, 6],
  [900_000, 900],
  [86_400_000, 900],
])('a check after %i ms is a message delayed by %i s', async (afterMs, DelaySeconds) => {
  const sent: unknown[] = [];
  const send = async (command: { input: unknown }) => {
    sent.push(command.input);
    return {};
  };
  const pollLater = createPollLater({ client: { send } as never, queueUrl: 'Delays' });

  await pollLater(clientId, afterMs);

  expect(sent).toEqual([
    {
      QueueUrl: 'Delays',
      Entries: [{ Id: clientId, DelaySeconds, MessageBody: `{"clientId":"${clientId}","isLater":true}` }],
    },
  ]);
});

test('a delayed message that the queue does not accept is a fault', async () => {
  const send = async () => ({ Failed: [{ Id: clientId }] });
  const pollLater = createPollLater({ client: { send } as never, queueUrl: 'Delays' });

  await expect(pollLater(clientId, 1)).rejects.toThrow('The queue did not accept 1 messages');
});
