import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { QueueMessage } from '../../localstack/sqs/message.ts';
import { root } from '../support/repository.ts';
import { entryFor, publish, registerPartner, until } from '../support/stage/messaging.ts';
import {
  startWebhookReceiver,
  type Webhook,
  type WebhookReceiver,
} from '../support/stage/webhook-receiver.ts';

let folder: string;
let receiver: WebhookReceiver;
const children: ChildProcess[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'messaging-'));
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await receiver.stop();
  rmSync(folder, { recursive: true });
});

const script = join(root, 'test/support/stage/messaging-process.ts');

const start = async () => {
  const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  children.push(child);
  const [printed] = await once(child.stdout as Readable, 'data');
  return {
    client: new EventBridgeClient({
      endpoint: String(printed).trim(),
      region: 'eu-west-2',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      maxAttempts: 1,
    }),
    deadLetters: async (): Promise<QueueMessage[]> => {
      child.send('dead letters');
      const [letters] = await once(child, 'message');
      return letters;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
};
const bytesOf = ({ headers, body }: Webhook) => JSON.stringify([headers, body]);

describe('kill -9 of bus and queues', () => {
  test('I6: an event in flight is delivered again with the same bytes, to the partner as it was registered', async () => {
    receiver.answers('acme', (nth) => (nth === 1 ? 'never' : 204));
    const first = await start();
    await registerPartner(first, 'acme', `${receiver.url}/acme`);
    await publish(first, entryFor('acme', 'e1', { id: 'e1', detail: { name: 'Zoë', price: '1.00' } }));
    await until(() => receiver.received.length === 1);
    await first.kill();

    await start();
    await until(() => receiver.received.length === 2);

    const [cut, again] = receiver.received;
    expect(cut && bytesOf(cut)).toBe(again && bytesOf(again));
    expect(again?.headers).toMatchObject({
      'Idempotency-Key': 'e1',
      'X-Webhook-Signature': 'acme-signature',
    });
  });

  test('I16: whatever was acknowledged is delivered, however often the process is killed meanwhile', async () => {
    receiver.answers('acme', (nth) => (nth % 5 === 0 ? 503 : { status: 204, afterMs: nth % 7 }));
    let running = await start();
    await registerPartner(running, 'acme', `${receiver.url}/acme`);
    const acknowledged: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const publishing = publishAll(running, round, acknowledged);
      const enough = acknowledged.length + 40;
      await until(() => acknowledged.length >= enough);
      await running.kill();
      await publishing;
      running = await start();
    }
    const takenIds = () => new Set(receiver.takenBy('acme').map(({ headers }) => headers['Idempotency-Key']));
    await until(() => acknowledged.every((id) => takenIds().has(id)));

    expect(acknowledged.length).toBeGreaterThanOrEqual(120);
    const bodies = Map.groupBy(receiver.received, ({ headers }) => headers['Idempotency-Key']);
    expect([...bodies.values()].every((copies) => new Set(copies.map(bytesOf)).size === 1)).toBe(true);
  });

  test('a dead letter is still in its queue', async () => {
    receiver.answers('acme', () => 404);
    const first = await start();
    await registerPartner(first, 'acme', `${receiver.url}/acme`);
    await publish(first, entryFor('acme', 'e1'));
    await until(async () => (await first.deadLetters()).length > 0);
    const idsAndBodies = async ({ deadLetters }: typeof first) =>
      (await deadLetters()).map(({ messageId, body }) => [messageId, body]);
    const before = await idsAndBodies(first);
    await first.kill();

    expect(before).toHaveLength(1);
    expect(await idsAndBodies(await start())).toEqual(before);
  });
});

/** Until the process is killed; an answer that never came acknowledges nothing. */
const publishAll = async (bus: { client: EventBridgeClient }, round: number, acknowledged: string[]) => {
  for (let batch = 0; batch < 1000; batch += 1) {
    const ids = Array.from({ length: 10 }, (_, index) => `${round}-${batch}-${index}`);
    const answer = await publish(bus, ...ids.map((id) => entryFor('acme', id))).catch(() => undefined);
    if (!answer) return;
    acknowledged.push(...ids);
  }
};
