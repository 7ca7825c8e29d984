import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { root } from '../support/repository.ts';
import {
  entryFor,
  publish,
  registerPartner,
  startTestBus,
  type TestBus,
  until,
} from '../support/stage/messaging.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/stage/webhook-receiver.ts';

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

const triedOnce = { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 };

describe('receivers that misbehave', () => {
  test('S-52 none holds up another partner: it has everything before a silent one has failed once', async () => {
    await registerPartner(bus, 'good', `${receiver.url}/good`);
    const child = spawn(process.execPath, [join(root, 'test/support/stage/hostile-receivers.ts')]);
    const [said] = await once(child.stdout, 'data');
    const ports: Record<string, number> = JSON.parse(String(said));
    const bad = Object.keys(ports);
    for (const name of bad) await registerPartner(bus, name, `http://127.0.0.1:${ports[name]}/`, triedOnce);

    const failedOf = (partner: string) =>
      bus.recorded.filter(({ clientId, delivered }) => clientId === partner && !delivered);
    await publish(bus, ...tenFor('silent'));
    await publish(bus, ...tenFor('good'));
    await until(() => receiver.takenBy('good').length === 10);
    const failedBefore = failedOf('silent');
    for (const name of bad.filter((one) => one !== 'silent')) await publish(bus, ...tenFor(name));
    await until(() => bad.every((partner) => failedOf(partner).length === 10));
    child.kill();

    expect(failedBefore).toEqual([]);
    expect(Object.fromEntries(bad.map((partner) => [partner, failedOf(partner)[0]?.error]))).toEqual({
      silent: 'timed out',
      dripping: 'timed out',
      endless: 'answer too large',
      headers: 'no connection: HPE_HEADER_OVERFLOW',
      interim: 'too many interim answers',
      rude: 'no connection: ECONNRESET',
    });
  });
});

const tenFor = (partner: string) =>
  Array.from({ length: 10 }, (_, index) => entryFor(partner, `${partner}-${index}`));
