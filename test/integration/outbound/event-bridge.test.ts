import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BusEntry } from '../../../functions/shared/outbound/event-bus.ts';
import {
  createEventBridgeClient,
  createEventBus,
} from '../../../functions/shared/outbound/event-bus-client.ts';
import { aReceiver } from '../../support/stage/hostile-receiver.ts';
import { registerPartner, startTestBus, type TestBus, until } from '../../support/stage/messaging.ts';
import { startReceiver, type TestReceiver } from '../../support/stage/receivers.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const clientOf = (endpoint: string, timeoutMs?: number) =>
  createEventBridgeClient({ endpoint, region: 'eu-west-2', credentials }, timeoutMs);

const anEntry = (values: Partial<BusEntry> = {}): BusEntry => ({
  clientId: 'acme',
  eventId: 'event-1',
  type: 'TransactionUpdated',
  from: 3,
  to: 5,
  omitted: ['vehicle'],
  tries: 0,
  message: '{"id":"event-1","detail":{"name":"Zoë  two spaces"}}',
  ...values,
});

const aBusOver = (client: Parameters<typeof createEventBus>[0], busName = 'transactions-local') => {
  const logged: unknown[] = [];
  const bus = createEventBus(client, {
    busName,
    source: 'svc.local.online-payments',
    stage: 'local',
    log: (name, _, fault) => logged.push([name, (fault as Error).name]),
  });
  return { bus, logged };
};

describe('over the real wire', () => {
  let messaging: TestBus;
  let receiver: TestReceiver;
  beforeAll(async () => {
    messaging = await startTestBus();
    receiver = await startReceiver(204);
    await registerPartner(messaging, 'acme', `http://127.0.0.1:${receiver.port}/`);
  });
  afterAll(async () => {
    await messaging.stop();
    messaging.remove();
    await receiver.stop();
  });

  test('I6 an accepted entry arrives byte for byte, with its headers', async () => {
    const { bus } = aBusOver(messaging.client);

    const answers = await bus.put([anEntry()]);
    await until(() => receiver.received.length > 0);

    expect(answers).toEqual([{ outcome: 'accepted', busEventId: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
    expect(receiver.received[0]?.body).toBe(anEntry().message);
    expect(receiver.received[0]?.headers).toMatchObject({
      'idempotency-key': 'event-1',
      'x-transaction-from-version': '3',
      'x-transaction-version': '5',
      'x-transaction-omitted': 'vehicle',
    });
  });
});

test('a bus that does not answer is called twice, and then everything is unconfirmed', async () => {
  const deaf = await aReceiver(() => {});
  const { bus, logged } = aBusOver(clientOf(`http://127.0.0.1:${deaf.port}`, 50));

  const answers = await bus.put([anEntry(), anEntry()]);
  await deaf.stop();

  expect(answers).toEqual([{ outcome: 'unconfirmed' }, { outcome: 'unconfirmed' }]);
  expect([deaf.received.length, logged]).toEqual([2, [['busUnavailable', 'TimeoutError']]]);
});
