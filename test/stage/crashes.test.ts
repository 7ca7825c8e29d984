import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { chunksOf } from '../../functions/shared/runtime/chunks.ts';
import { toItem } from '../../functions/shared/store/transactions/item.ts';
import { arn, busName } from '../../localstack/embedded/wiring.ts';
import { aNewTransaction, anOwner, uuidOf } from '../support/builders/transactions.ts';
import { clientOf, documentsOf, settingsFor } from '../support/engine/engine.ts';
import type { Case } from '../support/stage/event-place.ts';
import { dormancyMs, type EventStage, startEventStage } from '../support/stage/event-stage.ts';
import { registerPartner } from '../support/stage/messaging.ts';
import { notifiedTwiceOtherwise } from '../support/stage/notified-state.ts';
import { until } from '../support/stage/stage.ts';

jest.setTimeout(300_000);

let events: EventStage;
beforeAll(async () => {
  events = await startEventStage();
}, 180_000);
afterAll(() => events.stop(), 30_000);

const change = ({ program, uuid }: Pick<Case, 'program' | 'uuid'>, body: object, headers = {}) =>
  program.write('PATCH', `/api/v2/transaction/${uuid}`, body, headers);
const rename = (one: Pick<Case, 'program' | 'uuid'>, lastName: string) =>
  change(one, { customer: { lastName } });

const requestsOf = (name: string) => events.askedOf(name);

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
    for (const { name, uuid } of [refused, resting]) {
      const [notified] = await events.whenNotified(name, 1);
      expect(notified?.message.detail).toMatchObject({ uuid, customer: { lastName: 'Example' } });
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

test('I1 I7 after kill -9 of the stage during a flush of 200 due rows nothing is lost, and copies have the same id and content', async () => {
  await events.partner('killed', 'group=killed');
  const uuids = await makeDueTogether(200, 'killed', Date.now() + 6_000);

  while (events.notifiedTo('killed').length === 0) await pause(5);
  const arrivedBefore = events.notifiedTo('killed').length;
  await events.restart('kill');
  const told = () => new Set(events.notifiedTo('killed').map(({ message }) => message.detail.uuid));
  await until(() => told().size >= 200);

  const arrived = events.notifiedTo('killed');
  expect(told()).toEqual(new Set(uuids));
  expect(new Set(arrived.map(({ message }) => message.id)).size).toBe(200);
  expect(notifiedTwiceOtherwise(arrived)).toEqual([]);
  expect(arrivedBefore).toBeLessThan(200);
});

test('I1 S-69 an event in flight at kill -9 keeps its retry policy, and what that ends is a dead letter of EventBridge', async () => {
  const client = new EventBridgeClient(settingsFor(events.stage().stack.operator.endpoints.eventbridge));
  // A queue that no function reads.
  const deadLetterQueueArn = arn('sqs', 'given-up');
  const RetryPolicy = { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 86_400 };
  await registerPartner({ client }, 'down', `${events.receiver.url}/down`, {
    RetryPolicy,
    deadLetterQueueArn,
  });
  events.receiver.answers('down', (nth) => (nth === 1 ? 'never' : 503));

  const detail = { to: 'down', message: { id: 'event-1' } };
  const entry = {
    Source: 'svc.local.online-payments',
    DetailType: 'TransactionUpdated',
    Detail: JSON.stringify(detail),
  };
  await client.send(new PutEventsCommand({ Entries: [{ ...entry, EventBusName: busName }] }));
  client.destroy();
  await events.whenAsked('down', 1);
  await events.restart('kill');
  const state = new DatabaseSync(join(events.stage().dataDir, 'state.db'));
  const find = state.prepare("SELECT body, attributes FROM messages WHERE queue = 'given-up'");
  await until(() => find.get() !== undefined);
  const { body, attributes } = find.get() as { body: string; attributes: string };
  state.close();

  // The attempt in flight is made again, and two more follow.
  expect(requestsOf('down').map(({ status }) => status)).toEqual([0, 503, 503, 503]);
  expect(JSON.parse(body)).toMatchObject({
    'detail-type': 'TransactionUpdated',
    detail: { to: 'down', message: { id: 'event-1' } },
  });
  expect(JSON.parse(attributes)).toEqual({
    RULE_ARN: text('arn:aws:events:eu-west-2:000000000000:rule/transactions-local/down'),
    TARGET_ARN: text(expect.stringMatching(/^arn:aws:events:eu-west-2:000000000000:api-destination\/down\//)),
    ERROR_CODE: text('SDK_CLIENT_ERROR'),
    ERROR_MESSAGE: text('Unable to invoke ApiDestination endpoint: The endpoint answered with status 503.'),
    RETRY_ATTEMPTS: text('2'),
    EXHAUSTED_RETRY_CONDITION: text('MaximumRetryAttempts'),
  });
});

const text = (StringValue: unknown) => ({ DataType: 'String', StringValue });

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
