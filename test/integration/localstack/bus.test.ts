import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteRuleCommand, PutRuleCommand, RemoveTargetsCommand } from '@aws-sdk/client-eventbridge';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { aCertificate } from '../../support/stage/certificate.ts';
import { answers, aReceiver } from '../../support/stage/hostile-receiver.ts';
import {
  entryFor,
  publish,
  registerPartner,
  startTestBus,
  type TestBus,
  until,
} from '../../support/stage/messaging.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/stage/webhook-receiver.ts';

let bus: TestBus;
let receiver: WebhookReceiver;
beforeEach(async () => {
  bus = await startTestBus();
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  await bus.stop();
  bus.remove();
  await receiver.stop();
});

const register = (name: string) => registerPartner(bus, name, `${receiver.url}/${name}`);
const keysOf = (partner: string) =>
  receiver.takenBy(partner).map(({ headers }) => headers['Idempotency-Key']);

test('a rule that is disabled drops', async () => {
  await register('acme');
  const rule = { Name: 'acme', EventBusName: 'Bus', EventPattern: '{"detail":{"to":["acme"]}}' };
  await bus.client.send(new PutRuleCommand({ ...rule, State: 'DISABLED' }));
  await publish(bus, entryFor('acme', 'dropped'));
  await bus.client.send(new PutRuleCommand(rule));
  await publish(bus, entryFor('acme', 'sent'));
  await until(() => keysOf('acme').length > 0);

  expect(keysOf('acme')).toEqual(['sent']);
});

test('removing the target makes a dead letter of each event that waits, and the rule can go then', async () => {
  await register('acme');
  receiver.answers('acme', () => ({ status: 503, headers: { 'Retry-After': '600' } }));
  const { Entries } = await publish(bus, entryFor('acme', 'e1', { id: 'e1', detail: { a: 1 } }));
  await until(() => bus.recorded.length > 0);

  const rule = { Rule: 'acme', EventBusName: 'Bus' };
  await bus.client.send(new RemoveTargetsCommand({ ...rule, Ids: ['partner'] }));
  const [letter] = await bus.deadLetters();
  await bus.client.send(new DeleteRuleCommand({ Name: 'acme', EventBusName: 'Bus' }));

  expect(letter?.messageAttributes.ERROR_CODE?.StringValue).toBe('NO_RESOURCE');
  expect(JSON.parse(letter?.body ?? '')).toEqual({
    version: '0',
    id: Entries?.[0]?.EventId,
    'detail-type': 'TransactionUpdated',
    source: 'svc.local.online-payments',
    account: '000000000000',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    region: 'eu-west-2',
    resources: [],
    detail: {
      to: 'acme',
      message: { id: 'e1', detail: { a: 1 } },
      delivery: { id: 'e1', from: '0', to: '1', omitted: '' },
    },
  });
});

test('S-48 https to this machine is refused before a connection', async () => {
  const inside = await aReceiver(answers('200 OK'), aCertificate({ host: '127.0.0.1' }));
  const once = { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 };
  await registerPartner(bus, 'acme', `https://127.0.0.1:${inside.port}/`, once);
  await publish(bus, entryFor('acme', 'e1'));
  await until(() => bus.recorded.length > 0);
  await inside.stop();

  expect(bus.recorded).toMatchObject([{ error: 'address not allowed', delivered: false }]);
  expect(inside.received).toEqual([]);
});

test('I13 S-18 the log has a line for each attempt and neither signatures nor bodies; the files are their owner’s alone', async () => {
  await register('acme');
  await publish(bus, entryFor('acme', 'e1', { id: 'e1', detail: { customer: 'Zoë' } }));
  await until(() => bus.recorded.length > 0);
  // The receiver may have the event before the bus has written its line.
  const file = join(bus.folder, 'bus.log');
  const log = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  await until(() => log().endsWith('\n'));

  expect(JSON.parse(log())).toMatchObject({ delivery: 'e1', destination: 'acme', attempt: 1, status: 204 });
  expect(log()).not.toMatch(/acme-signature|Zoë|127\.0\.0\.1/);
  for (const name of ['events.db', 'events.db-wal', 'events.db-shm'])
    expect(statSync(join(bus.folder, name)).mode & 0o777).toBe(0o600);
});
