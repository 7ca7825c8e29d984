import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { checkMessage } from '../support/builders/message-schema.ts';
import { randomFrom, seedOfRun } from '../support/builders/random.ts';
import { anOwner } from '../support/builders/transactions.ts';
import {
  type Case,
  type EventPlace,
  type NotifiedMessage,
  openEventPlace,
} from '../support/stage/event-place.ts';
import { deliveriesTo } from '../support/stage/event-stage.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';
import { aPartnerProgram } from '../support/stage/partner-client.ts';

jest.setTimeout(60_000);

let stage: ServiceStage;
let events: EventPlace;
beforeAll(async () => {
  stage = await openStage({ dormancySeconds: 120, tickSeconds: 10 });
  events = await openEventPlace(() => stage);
});
afterAll(async () => {
  await stage.close();
  await events.receiver.stop();
});
endEngineAfterFile();

/** Dormancy and the next tick. */
const rest = () => stage.passTime(130_000);
const rename = ({ program, uuid }: Pick<Case, 'program' | 'uuid'>, lastName: string) =>
  program.write('PATCH', `/api/v2/transaction/${uuid}`, { customer: { lastName } });
const statesOf = async ({ clientId }: Case) =>
  (await deliveriesTo(clientId, stage)).map(({ state }) => state);

/** The versions that a message is about. */
const rangeOf = ({ headers }: NotifiedMessage) => ({
  from: headers['X-Transaction-From-Version'] ?? '',
  to: headers['X-Transaction-Version'] ?? '',
});

test('interface 6 EV-1 a change at rest for two minutes is one message that has exactly what changed', async () => {
  const acme = await events.aCase('acme');

  await rename(acme, 'Example');
  await stage.passTime(90_000);
  const tooEarly = events.notifiedTo('acme');
  await stage.passTime(40_000);
  const notified = events.notifiedTo('acme');

  const { uuid, group } = acme;
  expect(tooEarly).toEqual([]);
  expect(notified.flatMap(({ message }) => checkMessage(message))).toEqual([]);
  expect(notified.map(({ message }) => message)).toEqual([
    {
      version: '0',
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      'detail-type': 'TransactionUpdated',
      source: 'svc.local.online-payments',
      account: '000000000000',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      region: 'eu-west-2',
      resources: [],
      detail: {
        uuid,
        status: 0,
        ndMeta: anOwner({ group }),
        customer: { firstName: 'Ann', lastName: 'Example' },
      },
    },
  ]);
  expect(notified.map(rangeOf)).toEqual([{ from: '1', to: '2' }]);
});

test('interface 6.1 EV-2 I18 a payment is sent at once, and again as an update when it rests', async () => {
  const { uuid, group, program } = await events.aCase('paid');
  const payment = { transaction: uuid, type: 1, value: '250.00', status: 1 };

  const paid = (await program.write('POST', '/api/v2/payment', payment)).json();
  await stage.settled();
  const atOnce = events.notifiedTo('paid').length;
  await rest();
  const notified = events.notifiedTo('paid');

  const messages = notified.map(({ message }) => message);
  const detail = { uuid, status: 1, ndMeta: anOwner({ group }), payments: [paid] };
  expect(atOnce).toBe(1);
  expect(messages.flatMap(checkMessage)).toEqual([]);
  expect(messages.map((one) => [one['detail-type'], one.detail])).toEqual([
    ['TransactionCompleted', detail],
    ['TransactionUpdated', detail],
  ]);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(2);
  expect(notified.map(rangeOf)[1]).toEqual({ from: '1', to: '2' });
});

test('interface 6 I7 a message is retried after Retry-After, with the same id and bytes, and the documented headers', async () => {
  const hiccup = await events.aCase('hiccup');
  events.receiver.answers('hiccup', (nth) => {
    if (nth === 1) return 503;
    return nth === 2 ? { status: 429, headers: { 'Retry-After': '120' } } : 204;
  });

  await rename(hiccup, 'Example');
  await rest();
  // The pause after the first attempt is at most a second.
  await stage.passTime(1_000);
  await stage.passTime(60_000);
  const beforeRetryAfter = events.askedOf('hiccup').map(({ status }) => status);
  await stage.passTime(60_000);

  const requests = events.askedOf('hiccup');
  const [delivery] = await deliveriesTo(hiccup.clientId, stage);
  expect(beforeRetryAfter).toEqual([503, 429]);
  expect(requests.map(({ status }) => status)).toEqual([503, 429, 204]);
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  for (const { headers } of requests) {
    expect(headers).toMatchObject({
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': 'Amazon/EventBridge/ApiDestinations',
      'X-Webhook-Signature': hiccup.webhookSignature,
      'Idempotency-Key': delivery?.eventId,
      'X-Transaction-From-Version': '1',
      'X-Transaction-Version': '2',
      'X-Transaction-Omitted': '',
    });
  }
  // The bus may deliver before the delivery log records that it has accepted.
  const steps = delivery?.timeline.map(({ step }) => step).filter((step) => step !== 'accepted');
  expect(steps).toEqual(['changed', 'claimed', 'attempted', 'attempted', 'delivered']);
});

test('S-77 one command stops all webhooks, including retries of the bus, and nothing is lost when they start', async () => {
  const [quiet, tried] = [await events.aCase('quiet'), await events.aCase('tried')];
  let isMended = false;
  events.receiver.answers('tried', () => (isMended ? 204 : 503));
  await rename(tried, 'Example');
  await rest();

  await stage.passTimeDuring(events.operate('webhooks', 'stop', '--yes'));
  const askedBefore = events.askedOf('tried').length;
  await rename(quiet, 'Example');
  await rest();
  const held = [await statesOf(quiet), await statesOf(tried)];
  const askedWhileStopped = [events.askedOf('quiet').length, events.askedOf('tried').length];
  isMended = true;
  await stage.passTimeDuring(events.operate('webhooks', 'start'));
  await rest();

  expect(askedBefore).toBeGreaterThan(0);
  expect(held).toEqual([['HELD'], ['HELD']]);
  expect(askedWhileStopped).toEqual([0, askedBefore]);
  expect(events.notifiedTo('quiet')).toHaveLength(1);
  expect(events.notifiedTo('tried')).toHaveLength(1);
});

test('RUN-12 I16 after a day of refusals an event is given up, and a token of the day before has expired', async () => {
  const refused = await events.aCase('refused');
  events.receiver.answers('refused', () => 500);
  const read = async () => (await refused.program.get('/api/v2/transaction')).status;
  const before = await read();

  await rename(refused, 'Example');
  await rest();
  const state = await statesOf(refused);
  await stage.passTime(25 * 3_600_000);

  expect(state).toEqual(['ACCEPTED']);
  expect(await statesOf(refused)).toEqual(['DEAD']);
  expect([before, await read()]).toEqual([200, 401]);
});

test('RUN-12 I1 after random moves of the clock during changes the ranges of each transaction join without a gap', async () => {
  const random = randomFrom(seedOfRun('moves'));
  const cases = [await events.aCase('moved-1'), await events.aCase('moved-2'), await events.aCase('moved-3')];
  const versions = new Map(cases.map(({ name }) => [name, 1]));

  for (let round = 1; round <= 12; round += 1) {
    const one = random.oneOf(cases);
    // A token is an hour's.
    const program = await aPartnerProgram(stage, one);
    const changing = rename({ ...one, program }, `Round ${round}`);
    if (random.isTrue(0.5)) await changing;
    await stage.passTime(random.oneOf([1_000, 10_000, 120_000, 3_600_000, 90_000_000]));
    if ((await changing).status === 200) versions.set(one.name, (versions.get(one.name) ?? 0) + 1);
  }
  await rest();

  for (const [name, version] of versions) {
    const ranges = events.notifiedTo(name).map(rangeOf);
    expect([name, ranges.at(-1)?.to ?? '1']).toEqual([name, String(version)]);
    expect([name, ...ranges.map(({ from }) => from), String(version)]).toEqual([
      name,
      '1',
      ...ranges.map(({ to }) => to),
    ]);
  }
});
