import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { chunksOf } from '../../functions/shared/runtime/chunks.ts';
import { toItem } from '../../functions/shared/store/transactions/item.ts';
import { checkMessage } from '../support/builders/message-schema.ts';
import { aNewTransaction, anOwner, uuidOf } from '../support/builders/transactions.ts';
import { clientOf, documentsOf } from '../support/engine/engine.ts';
import {
  dormancyMs,
  type EventStage,
  type NotifiedMessage,
  startEventStage,
} from '../support/stage/event-stage.ts';
import { notifiedTwiceOtherwise } from '../support/stage/notified-state.ts';

jest.setTimeout(300_000);

let events: EventStage;
beforeAll(async () => {
  events = await startEventStage();
}, 180_000);
afterAll(() => events.stop(), 30_000);

type Case = Awaited<ReturnType<EventStage['aCase']>>;
const change = ({ program, uuid }: Pick<Case, 'program' | 'uuid'>, body: object, headers = {}) =>
  program.write('PATCH', `/api/v2/transaction/${uuid}`, body, headers);
const rename = (one: Pick<Case, 'program' | 'uuid'>, lastName: string) =>
  change(one, { customer: { lastName } });

/** The versions that a message is about. */
const rangeOf = ({ headers }: NotifiedMessage) => ({
  from: headers['X-Transaction-From-Version'] ?? '',
  to: headers['X-Transaction-Version'] ?? '',
});
const requestsOf = (name: string) => events.receiver.received.filter(({ partner }) => partner === name);

test('interface 6 a change at rest is one message that has exactly what changed', async () => {
  const acme = await events.aCase('acme');

  await rename(acme, 'Example');
  const notified = await events.whenNotified('acme', 1);

  const { uuid, group } = acme;
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
  const answeredAtMs = Date.now();
  const notified = await events.whenNotified('paid', 2);

  const messages = notified.map(({ message }) => message);
  const detail = { uuid, status: 1, ndMeta: anOwner({ group }), payments: [paid] };
  expect(messages.flatMap(checkMessage)).toEqual([]);
  expect(messages.map((one) => [one['detail-type'], one.detail])).toEqual([
    ['TransactionCompleted', detail],
    ['TransactionUpdated', detail],
  ]);
  // Two seconds on a machine that does nothing else; the simulation proves those.
  expect(Date.parse(String(messages[0]?.time)) - answeredAtMs).toBeLessThan(30_000);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(2);
  expect(notified.map(rangeOf)[1]).toEqual({ from: '1', to: '2' });
});

test('interface 6 I7 a message is retried after Retry-After, with the same id and bytes, and the documented headers', async () => {
  const hiccup = await events.aCase('hiccup');
  events.receiver.answers('hiccup', (nth) => {
    if (nth === 1) return 503;
    return nth === 2 ? { status: 429, headers: { 'Retry-After': '2' } } : 204;
  });

  await rename(hiccup, 'Example');
  const [delivery] = await events.whenStates(hiccup.clientId, 'DELIVERED');

  const requests = requestsOf('hiccup');
  expect(requests.map(({ status }) => status)).toEqual([503, 429, 204]);
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  expect((requests[2]?.receivedAtMs ?? 0) - (requests[1]?.receivedAtMs ?? 0)).toBeGreaterThanOrEqual(1990);
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
  await events.whenAsked('tried', 1);

  const startedAtMs = performance.now();
  await events.operate('webhooks', 'stop', '--yes');
  const seconds = (performance.now() - startedAtMs) / 1_000;
  console.info(`all webhooks are stopped, retries of the bus among them: ${seconds.toFixed(1)} s`);
  const askedBefore = requestsOf('tried').length;
  await rename(quiet, 'Example');
  await events.whenStates(quiet.clientId, 'HELD');
  await events.whenStates(tried.clientId, 'HELD');
  expect([requestsOf('quiet').length, requestsOf('tried').length]).toEqual([0, askedBefore]);
  isMended = true;
  await events.operate('webhooks', 'start');

  expect(await events.whenNotified('quiet', 1)).toHaveLength(1);
  expect(await events.whenNotified('tried', 1)).toHaveLength(1);
});

test.each(['stop', 'kill'] as const)(
  'RUN-1 I1 a stage that ends by %s and starts again sends pending events, and retries refused ones',
  async (how) => {
    const refused = await events.aCase(`${how}-refused`);
    const resting = await events.aCase(`${how}-resting`);
    events.receiver.answers(`${how}-refused`, () => 503);
    await rename(refused, 'Example');
    await events.whenAsked(`${how}-refused`, 1);
    await rename(resting, 'Example');

    await events.restart(how);
    events.receiver.answers(`${how}-refused`, () => 204);
    for (const { name, uuid, clientId } of [refused, resting]) {
      const [notified] = await events.whenNotified(name, 1);
      expect(notified?.message.detail).toMatchObject({ uuid, customer: { lastName: 'Example' } });
      await events.whenStates(clientId, 'DELIVERED');
    }

    expect(new Set(requestsOf(`${how}-refused`).map(({ body }) => body)).size).toBe(1);
  },
);

test('I1 WR-1 after kill -9 of the stage during writes every answered write is kept, the lost one can be repeated, and its message arrives', async () => {
  const cases = [await events.aCase('written-1'), await events.aCase('written-2')];
  const writers = cases.map(async (one) => {
    for (let number = 1; ; number += 1) {
      const lastName = `Name ${number}`;
      const key = { 'Idempotency-Key': `name-${number}` };
      const write = () => change(one, { customer: { lastName } }, key);
      const isAnswered = await write().then(
        ({ status }) => status === 200,
        () => false,
      );
      if (!isAnswered) return { ...one, number, lastName, write };
    }
  });
  await pause(2_000);
  await events.restart('kill');

  const lastMessageTo = (name: string) => events.notifiedTo(name).at(-1);
  for (const { name, number, lastName, write } of await Promise.all(writers)) {
    const customer = { firstName: 'Ann', lastName };
    expect((await write()).status).toBe(200);
    while (!isDeepStrictEqual(lastMessageTo(name)?.message.detail.customer, customer)) await pause(100);
    expect(lastMessageTo(name)?.headers['X-Transaction-Version']).toBe(String(number + 1));
  }
});

test('I1 I7 after kill -9 of the stage during a flush of 500 due rows nothing is lost, and copies have the same id and bytes', async () => {
  const { clientId } = await events.partner('killed', 'group=killed');
  const uuids = await makeDueTogether(500, 'killed', Date.now() + 6_000);

  while (events.notifiedTo('killed').length === 0) await pause(5);
  const arrivedBefore = events.notifiedTo('killed').length;
  await events.restart('kill');
  await events.whenStates(clientId, ...uuids.map(() => 'DELIVERED' as const));

  const arrived = events.notifiedTo('killed');
  expect(new Set(arrived.map(({ message }) => message.detail.uuid))).toEqual(new Set(uuids));
  expect(new Set(arrived.map(({ message }) => message.id)).size).toBe(500);
  expect(notifiedTwiceOtherwise(arrived)).toEqual([]);
  expect(arrivedBefore).toBeLessThan(500);
});

/**
 * Makes as many transactions of a group with an event that is due in one moment, later than the stream needs to schedule
 * them. Writes items directly and leaves out the listing, which no event needs.
 */
const makeDueTogether = async (count: number, group: string, dueAtMs: number): Promise<string[]> => {
  const { endpoints, variables } = events.stage().stack.operator;
  const client = clientOf(endpoints.dynamodb);
  const { TRANSACTIONS_TABLE = '' } = variables;
  const updatedAtMs = dueAtMs - dormancyMs;
  const transactions = Array.from({ length: count }, (_, index) => ({
    ...aNewTransaction(
      { uuid: uuidOf(100_000 + index), ndMeta: anOwner({ group }), customer: { firstName: 'Ann' } },
      { createdAtMs: updatedAtMs, updatedAtMs },
    ),
    elementVersions: { ...aNewTransaction().elementVersions, customer: 1 },
    sequenceNumber: 110_000 + index,
  }));
  for (const chunk of chunksOf(transactions, 25)) {
    const puts = chunk.map((stored) => ({ PutRequest: { Item: toItem(stored) } }));
    await documentsOf(client).send(new BatchWriteCommand({ RequestItems: { [TRANSACTIONS_TABLE]: puts } }));
  }
  client.destroy();
  return transactions.map(({ transaction }) => transaction.uuid);
};
