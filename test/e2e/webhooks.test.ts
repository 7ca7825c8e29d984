import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type EventStage, startEventStage } from '../support/stage/event-stage.ts';

jest.setTimeout(120_000);

let world: EventStage;
beforeAll(async () => {
  world = await startEventStage();
});
afterAll(() => world.stop());

test('V2-6 set-webhook moves messages to another address, and the partner reads that it has a webhook', async () => {
  const { aCase, operate, receiver, whenTold, toldTo } = world;
  const { uuid, program } = await aCase('moving');

  await operate('partner', 'set-webhook', 'moving', '--url', `${receiver.url}/moved`);
  await program.write('PATCH', `/api/v2/transaction/${uuid}`, { customer: { firstName: 'Bea' } });

  expect(await whenTold('moved', 1)).toHaveLength(1);
  expect(toldTo('moving')).toEqual([]);
  expect(await operate('partner', 'show', 'moving')).toMatchObject({
    webhookUrl: `${receiver.url}/moved`,
    webhookDifferences: [],
  });
  expect((await program.get('/api/v2/partner')).json().webhook).toMatchObject({
    state: 'active',
    rotation: null,
  });
});
