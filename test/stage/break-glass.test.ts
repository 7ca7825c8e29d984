import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type EventStage, startEventStage } from '../support/stage/event-stage.ts';

jest.setTimeout(300_000);

let stage: EventStage;
beforeAll(async () => {
  stage = await startEventStage();
}, 180_000);
afterAll(() => stage.stop());

/** Seconds from the start of a command until what it promises has come true. */
const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAtMs = performance.now();
  await work();
  return (performance.now() - startedAtMs) / 1_000;
};

const change = ({ program, uuid }: Awaited<ReturnType<EventStage['aCase']>>) =>
  program.write('PATCH', `/api/v2/transaction/${uuid}`, { customer: { lastName: `${performance.now()}` } });

test('S-77 a partner that is disabled is refused on its next request', async () => {
  const partner = await stage.aCase('disabled');
  expect((await change(partner)).status).toBe(200);

  const seconds = await secondsOf(() => stage.operate('partner', 'disable', 'disabled'));

  expect((await change(partner)).status).toBe(401);
  console.info(`a partner is disabled, by command and on the wire: ${seconds.toFixed(1)} s`);
});

test('S-77 all webhooks stop by one command, what the bus still tries with them, and nothing is lost when they start', async () => {
  const [quiet, busy] = [await stage.aCase('quiet'), await stage.aCase('busy')];
  let isMended = false;
  stage.receiver.answers('busy', () => (isMended ? 204 : 503));
  await change(busy);
  await stage.whenAsked('busy', 1);

  const seconds = await secondsOf(() => stage.operate('webhooks', 'stop', '--yes'));
  const askedBefore = stage.receiver.received.length;
  await change(quiet);
  await stage.whenStates(quiet.clientId, 'HELD');
  await stage.whenStates(busy.clientId, 'HELD');
  expect(stage.receiver.received.length).toBe(askedBefore);
  isMended = true;

  await stage.operate('webhooks', 'start');

  expect(await stage.whenNotified('quiet', 1)).toHaveLength(1);
  expect(await stage.whenNotified('busy', 1)).toHaveLength(1);
  console.info(`all webhooks are stopped, retries of the bus among them: ${seconds.toFixed(1)} s`);
});
