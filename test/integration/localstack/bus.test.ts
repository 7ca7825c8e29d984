import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  DeleteApiDestinationCommand,
  DeleteConnectionCommand,
  DeleteRuleCommand,
  PutRuleCommand,
  RemoveTargetsCommand,
  UpdateConnectionCommand,
} from '@aws-sdk/client-eventbridge';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { aCertificate } from '../../support/stage/certificate.ts';
import { answers, aReceiver, type HostileReceiver } from '../../support/stage/hostile-receiver.ts';
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
const hostile: HostileReceiver[] = [];
beforeEach(async () => {
  bus = await startTestBus();
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  await bus.stop();
  bus.remove();
  await receiver.stop();
  for (const one of hostile.splice(0)) await one.stop();
});

const register = (
  name: string,
  ...more: [{ MaximumRetryAttempts: number; MaximumEventAgeInSeconds: number }?]
) => registerPartner(bus, name, `${receiver.url}/${name}`, ...more);
const registerHostile = async (name: string, ...how: Parameters<typeof aReceiver>) => {
  const one = await aReceiver(...how);
  hostile.push(one);
  const scheme = how[1] ? 'https' : 'http';
  await registerPartner(bus, name, `${scheme}://127.0.0.1:${one.port}/`, once);
  return one;
};
const once = { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 };
const taken = (partner: string) => receiver.takenBy(partner);
const keysOf = (partner: string) => taken(partner).map(({ headers }) => headers['Idempotency-Key']);

describe('a delivery over real sockets', () => {
  test('I10: the message alone is the body, with the headers of EventBridge, of the target and of the connection', async () => {
    await register('acme');
    await publish(bus, entryFor('acme', 'e1', { id: 'e1', detail: { name: 'Zoë' } }));
    await until(() => taken('acme').length > 0);

    expect(receiver.received[0]).toMatchObject({
      body: '{"id":"e1","detail":{"name":"Zoë"}}',
      headers: {
        'User-Agent': 'Amazon/EventBridge/ApiDestinations',
        Range: 'bytes=0-1048575',
        'Content-Type': 'application/json; charset=utf-8',
        'Accept-Encoding': 'gzip,deflate',
        Connection: 'close',
        'Content-Length': '36',
        Host: receiver.url.slice(7),
        'X-Webhook-Signature': 'acme-signature',
        'Idempotency-Key': 'e1',
        'X-Transaction-From-Version': '0',
        'X-Transaction-Version': '1',
        'X-Transaction-Omitted': '',
      },
    });
  });

  test('each rule takes what its pattern names, and no partner gets anything else', async () => {
    await register('acme');
    await register('other');
    const { FailedEntryCount } = await publish(
      bus,
      entryFor('acme', 'a1'),
      entryFor('other', 'o1'),
      entryFor('nobody', 'n1'),
      entryFor('acme', 'a2'),
    );
    await until(() => receiver.received.length === 3);

    expect(FailedEntryCount).toBe(0);
    expect([keysOf('acme').toSorted(), keysOf('other')]).toEqual([['a1', 'a2'], ['o1']]);
  });

  test('a rule that is disabled drops', async () => {
    await register('acme');
    const rule = { Name: 'acme', EventBusName: 'Bus', EventPattern: '{"detail":{"to":["acme"]}}' };
    await bus.client.send(new PutRuleCommand({ ...rule, State: 'DISABLED' }));
    await publish(bus, entryFor('acme', 'dropped'));
    await bus.client.send(new PutRuleCommand(rule));
    await publish(bus, entryFor('acme', 'sent'));
    await until(() => taken('acme').length > 0);

    expect(keysOf('acme')).toEqual(['sent']);
  });

  test('EV-5: a failure is retried with the same bytes, each attempt is recorded, and the retries end', async () => {
    await register('acme', { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 60 });
    receiver.answers('acme', () => 500);
    await publish(bus, entryFor('acme', 'e1'));
    let letters: Awaited<ReturnType<TestBus['deadLetters']>> = [];
    await until(async () => {
      letters = await bus.deadLetters();
      return letters.length > 0;
    });

    expect(new Set(receiver.received.map(({ body, headers }) => JSON.stringify([body, headers]))).size).toBe(
      1,
    );
    expect(receiver.received).toHaveLength(3);
    expect(bus.recorded).toMatchObject([
      { eventId: 'e1', clientId: 'acme', attempt: 1, status: 500, delivered: false },
      { attempt: 2, status: 500, delivered: false },
      { attempt: 3, status: 500, delivered: false },
    ]);
    expect(letters[0]?.messageAttributes).toMatchObject({
      EXHAUSTED_RETRY_CONDITION: { StringValue: 'MaximumRetryAttempts' },
      RETRY_ATTEMPTS: { StringValue: '2' },
    });
  });

  test('I22: the next value announces itself beside the current one, and replaces it from the next attempt on', async () => {
    await register('acme');
    const change = (ApiKeyValue: string, next: string[]) =>
      bus.client.send(
        new UpdateConnectionCommand({
          Name: 'acme',
          AuthParameters: {
            ApiKeyAuthParameters: { ApiKeyName: 'X-Webhook-Signature', ApiKeyValue },
            InvocationHttpParameters: {
              HeaderParameters: next.map((Value) => ({
                Key: 'X-Webhook-Signature-Next',
                Value,
                IsValueSecret: true,
              })),
            },
          },
        }),
      );
    const sent: unknown[] = [];
    for (const [now, next] of [
      ['old', ['new']],
      ['new', []],
    ] as [string, string[]][]) {
      await change(now, next);
      await publish(bus, entryFor('acme', `with-${now}`));
      await until(() => taken('acme').length > sent.length);
      const headers = taken('acme').at(-1)?.headers;
      sent.push([headers?.['X-Webhook-Signature'], headers?.['X-Webhook-Signature-Next']]);
    }

    expect(sent).toEqual([
      ['old', 'new'],
      ['new', undefined],
    ]);
  });

  test('removing the target gives up what waits, with the reason, and the rule can go then', async () => {
    await register('acme');
    receiver.answers('acme', () => ({ status: 503, headers: { 'Retry-After': '600' } }));
    await publish(bus, entryFor('acme', 'e1'));
    await until(() => bus.recorded.length > 0);

    const rule = { Rule: 'acme', EventBusName: 'Bus' };
    await bus.client.send(new RemoveTargetsCommand({ ...rule, Ids: ['partner'] }));
    const letters = await bus.deadLetters();
    for (const command of [
      new DeleteRuleCommand({ Name: 'acme', EventBusName: 'Bus' }),
      new DeleteApiDestinationCommand({ Name: 'acme' }),
      new DeleteConnectionCommand({ Name: 'acme' }),
    ])
      await bus.client.send(command as DeleteRuleCommand);

    expect(JSON.parse(letters[0]?.body ?? '')).toMatchObject({ detail: { delivery: { id: 'e1' } } });
    expect(letters[0]?.messageAttributes.ERROR_CODE?.StringValue).toBe('NO_RESOURCE');
  });

  test('what a dead letter holds is the original event', async () => {
    await register('acme');
    receiver.answers('acme', () => 422);
    const before = Math.floor(Date.now() / 1000) * 1000;
    const { Entries } = await publish(bus, entryFor('acme', 'e1', { id: 'e1', detail: { a: 1 } }));
    await until(() => bus.recorded.length > 0);
    const [letter] = await bus.deadLetters();
    const event = JSON.parse(letter?.body ?? '');

    expect(event).toEqual({
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
    expect(Date.parse(event.time)).toBeGreaterThanOrEqual(before);
  });
});

describe('S-48, S-49, S-53 where a delivery never goes', () => {
  test('a redirect to another receiver is an answer, not followed, and dead', async () => {
    const inside = await registerHostile('inside', answers('200 OK'));
    await registerHostile(
      'acme',
      answers('307 Temporary Redirect', [`Location: http://127.0.0.1:${inside.port}/`]),
    );
    await publish(bus, entryFor('acme', 'e1'));
    await until(() => bus.recorded.length > 0);

    expect(inside.received).toEqual([]);
    expect((await bus.deadLetters())[0]?.messageAttributes.ERROR_MESSAGE?.StringValue).toContain(
      'status 307',
    );
  });

  test('https to this machine is refused before a connection', async () => {
    const inside = await registerHostile('acme', answers('200 OK'), aCertificate({ host: '127.0.0.1' }));
    await publish(bus, entryFor('acme', 'e1'));
    await until(() => bus.recorded.length > 0);

    expect(bus.recorded).toMatchObject([{ error: 'address not allowed', delivered: false }]);
    expect(inside.received).toEqual([]);
    expect(await bus.deadLetters()).toHaveLength(1);
  });
});

describe('what lies on the disk', () => {
  test('S-18: the file and its companions are their owner’s alone', async () => {
    await register('acme');

    for (const name of ['events.db', 'events.db-wal', 'events.db-shm'])
      expect(statSync(join(bus.folder, name)).mode & 0o777).toBe(0o600);
  });

  test('I13: the log has a line for each attempt and neither signatures nor bodies', async () => {
    await register('acme');
    await publish(bus, entryFor('acme', 'e1', { id: 'e1', detail: { customer: 'Zoë' } }));
    await until(() => bus.recorded.length > 0);
    // The receiver may have the event before the bus has written its line.
    const file = join(bus.folder, 'bus.log');
    const log = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    await until(() => log().endsWith('\n'));

    expect(JSON.parse(log())).toMatchObject({ delivery: 'e1', destination: 'acme', attempt: 1, status: 204 });
    expect(log()).not.toMatch(/acme-signature|Zoë|127\.0\.0\.1/);
  });

  test('a restart goes on with what was not delivered', async () => {
    await register('acme');
    receiver.answers('acme', (nth) => (nth === 1 ? 503 : 200));
    await publish(bus, entryFor('acme', 'e1'));
    await until(() => bus.recorded.length > 0);
    await bus.stop();
    bus = await startTestBus(bus.folder);
    await until(() => bus.recorded.length > 0);

    expect(keysOf('acme')).toEqual(['e1']);
    expect(bus.recorded).toMatchObject([{ attempt: 2, delivered: true }]);
  });
});
