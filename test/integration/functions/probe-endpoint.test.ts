import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { handler } from '../../../functions/probe-endpoint/index.ts';
import { startFunction } from '../../support/engine/start-place.ts';
import { startReceiver } from '../../support/stage/receivers.ts';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  receiver = await startReceiver(204);
});
afterAll(() => receiver.stop());

const probeWhere = async (loopback: string): Promise<typeof handler> => {
  process.env.LOOPBACK_ENDPOINTS = loopback;
  return startFunction('probe-endpoint');
};

test('S-47 a loopback address is called on the local stage, and not in AWS', async () => {
  const request = { url: `http://127.0.0.1:${receiver.port}/hook`, messages: [{ headers: {}, body: '{}' }] };

  const inAws = await (await probeWhere('refused'))(request);
  const askedInAws = receiver.received.length;
  const local = await (await probeWhere('allowed'))(request);

  expect([inAws, askedInAws]).toEqual([[{ fault: 'address not allowed' }], 0]);
  expect([local, receiver.received.map(({ body }) => body)]).toEqual([[{ status: 204 }], ['{}']]);
});
