import { expect, test } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { createHandler } from '../../../../functions/keep-endpoints/handler.ts';
import type { EndpointMessage } from '../../../../functions/shared/outbound/endpoint-requests.ts';
import { anEndpointWorld, createMemoryInspections } from '../../../support/memory/endpoint-world.ts';
import { endpointsOver } from '../../../support/memory/partners.ts';

const clientId = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const batchOf = (...messages: (object | string)[]) => ({
  Records: messages.map((message, index) => ({
    messageId: `m${index}`,
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })) as SQSRecord[],
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

test('a message of the FIFO queue is worked on: a check is answered, and a dead letter has the address checked', async () => {
  const { handler, create, passTime, probed, status, calls } = aHandler();
  await create();
  const check = { id: 'c', url: 'https://p.example/' };

  expect(await handler(batchOf({ clientId, check }))).toEqual({ batchItemFailures: [] });
  expect(await status()).toMatchObject({ state: 'on', checked: { id: 'c' } });
  expect(calls).toContain('PutTargets');
  await passTime(600_000);
  await handler(batchOf({ clientId }));
  expect(probed).toHaveLength(2);
  await handler(batchOf({ clientId, isUndelivered: true }));
  expect(probed).toHaveLength(3);
});

test('an unknown message fails by itself, and is logged', async () => {
  const { handler, logged } = aHandler();

  const answer = await handler(batchOf('no', { clientId: '' }));

  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'm0' }, { itemIdentifier: 'm1' }] });
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
  memory.send = () => Promise.reject(new Error('no bus'));

  await expect(handler({})).rejects.toThrow('no bus');
  expect(reported).toEqual([{ differingEndpoints: 0 }]);
});
