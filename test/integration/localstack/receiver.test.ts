import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { freePort } from '../../../localstack/free-port.ts';
import {
  type Receiver,
  receiverUrlOf,
  startReceiver,
} from '../../../localstack/webhook-receiver/receiver.ts';

const folder = mkdtempSync(join(tmpdir(), 'receiver-'));
type RunningReceiver = Receiver & { url: string };
const running: RunningReceiver[] = [];
const lines: string[] = [];
const time = { now: new Date('2026-11-21T12:00:00Z') };

const start = async (file = `${randomUUID()}.db`) => {
  const port = await freePort();
  const started = await startReceiver({
    port,
    file: join(folder, file),
    source: 'svc.local.online-payments',
    signatureOf: (partner) => (partner === 'acme' ? 'signature-of-acme' : undefined),
    say: (line) => lines.push(line),
    clock: () => time.now,
  });
  const receiver = { ...started, url: receiverUrlOf(port) };
  running.push(receiver);
  return receiver;
};

afterEach(async () => {
  time.now = new Date('2026-11-21T12:00:00Z');
  lines.splice(0);
  for (const receiver of running.splice(0)) await receiver.stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

const uuid = '5f3c1a52-9f0a-4f6e-8a39-0a4d3a7f2b11-0000';
const message = (changes: object = {}) => ({
  id: 'event-1',
  'detail-type': 'TransactionUpdated',
  source: 'svc.local.online-payments',
  detail: { ndMeta: {}, uuid, status: 0, customer: { first_name: 'Ann' } },
  ...changes,
});
const versions = (from: number, to: number) => ({
  'X-Transaction-From-Version': `${from}`,
  'X-Transaction-Version': `${to}`,
});

const post = async (
  { url }: RunningReceiver,
  body: unknown,
  { partner = 'acme', ...headers }: Record<string, string> = {},
) => {
  const answer = await fetch(`${url}/${partner}`, {
    method: 'POST',
    headers: { 'X-Webhook-Signature': 'signature-of-acme', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  await answer.text();
  return answer.status;
};
const webhooks = async ({ url }: RunningReceiver) => JSON.parse(await (await fetch(url)).text()).webhooks;

describe('the demo receiver', () => {
  test('takes a message, prints a line without what a customer typed, and lists it for programs', async () => {
    const receiver = await start();

    expect(await post(receiver, message(), versions(0, 2))).toBe(204);

    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^\d\d:\d\d:\d\d {2}acme {2}TransactionUpdated {4}5f3c1a52… {2}customer {2}versions 0 → 2$/,
    );
    expect(await webhooks(receiver)).toEqual([
      {
        receivedAt: '2026-11-21T12:00:00.000Z',
        partner: 'acme',
        id: 'event-1',
        type: 'TransactionUpdated',
        copies: 1,
        uuid,
        range: { from: 0, to: 2 },
        link: 'fits',
        message: message(),
      },
    ]);
  });

  test('TH-03 refuses a wrong or missing signature, another partner’s, and partners that it is not', async () => {
    const receiver = await start();

    expect([
      await post(receiver, message(), { 'X-Webhook-Signature': 'signature-of-acmf' }),
      await post(receiver, message(), { 'X-Webhook-Signature': '' }),
      await post(receiver, message(), { partner: 'other' }),
      await post(receiver, message(), { partner: '..%2f' }),
    ]).toEqual([401, 401, 404, 404]);
    expect(await webhooks(receiver)).toEqual([]);
  });

  test('TH-18 refuses what is no message, and a message of another environment', async () => {
    const receiver = await start();

    expect([
      await post(receiver, 'nope'),
      await post(receiver, message({ id: undefined })),
      await post(receiver, message({ source: 'svc.production.online-payments' })),
    ]).toEqual([400, 400, 400]);
    expect(await webhooks(receiver)).toEqual([]);
  });

  test('takes 1 MB and no more', async () => {
    const receiver = await start();
    const sized = (bytes: number) => {
      const bare = JSON.stringify(message({ padding: '' })).length;
      return message({ padding: 'x'.repeat(bytes - bare) });
    };

    expect(await post(receiver, sized(1024 * 1024))).toBe(204);
    expect(await post(receiver, sized(1024 * 1024 + 1))).toBe(413);
  });

  test('I7 knows a message by its id, after a restart too', async () => {
    const receiver = await start('kept.db');
    await post(receiver, message(), versions(0, 2));
    await receiver.stop();
    running.splice(0);

    const again = await start('kept.db');

    expect(await post(again, message(), versions(0, 2))).toBe(204);
    expect(lines.at(-1)).toMatch(/ {2}duplicate: known by its id$/);
    expect(await webhooks(again)).toMatchObject([{ id: 'event-1', copies: 2, link: 'fits' }]);
  });

  test('EV-4 EV-6 follows the chain of updates of each transaction; completions stand outside of it', async () => {
    const receiver = await start();
    const send = (id: string, from: number, to: number, type = 'TransactionUpdated') =>
      post(receiver, message({ id, 'detail-type': type }), versions(from, to));

    await send('first', 1, 3);
    await send('completed', 6, 7, 'TransactionCompleted');
    await send('second', 3, 7);
    await send('fourth', 8, 9);
    await send('third', 7, 8);

    expect((await webhooks(receiver)).map(({ link }: { link?: string }) => link)).toEqual([
      'older',
      'gap',
      'fits',
      undefined,
      'starts-in-the-middle',
    ]);
  });

  test('EV-4 takes 1 → 2 before 0 → 1: the first starts in the middle, the late one is passed over, no fault', async () => {
    const receiver = await start();

    const first = await post(receiver, message({ id: 'event-2' }), versions(1, 2));
    const late = await post(receiver, message({ id: 'event-1' }), versions(0, 1));
    const next = await post(receiver, message({ id: 'event-3' }), versions(2, 3));

    expect([first, late, next]).toEqual([204, 204, 204]);
    expect(lines.map((line) => line.replace(/^.*versions /, ''))).toEqual([
      '1 → 2  starts in the middle: read the API',
      '0 → 1  late, a newer one was taken: passed over',
      '2 → 3',
    ]);
  });

  test('I22 takes an announced signature from then on, and drops the former one ten minutes after its first use', async () => {
    const receiver = await start('rotated.db');
    const send = (id: string, headers: Record<string, string>) => post(receiver, message({ id }), headers);

    expect(await send('1', { 'X-Webhook-Signature': 'new' })).toBe(401);
    expect(await send('2', { 'X-Webhook-Signature-Next': 'new' })).toBe(204);
    await receiver.stop();
    running.splice(0);
    const again = await start('rotated.db');
    const sendAgain = (id: string, headers: Record<string, string>) => post(again, message({ id }), headers);

    expect(await sendAgain('3', {})).toBe(204);
    expect(await sendAgain('4', { 'X-Webhook-Signature': 'new' })).toBe(204);
    expect(await sendAgain('5', {})).toBe(204);
    time.now = new Date('2026-11-21T12:10:00Z');
    expect(await sendAgain('6', {})).toBe(401);
    expect(lines.at(-1)).toMatch(/^\d\d:\d\d:\d\d {2}acme {2}a message with a wrong signature was refused$/);
  });

  test('a test of the endpoint is taken and not kept', async () => {
    const receiver = await start();

    expect(await post(receiver, message({ 'detail-type': 'WebhookTest', detail: {} }))).toBe(204);
    expect(await webhooks(receiver)).toEqual([]);
  });

  test('other paths and methods are 404 and 405', async () => {
    const { url } = await start();

    const statuses = await Promise.all([
      fetch(new URL('/', url)),
      fetch(`${url}/acme`),
      fetch(url, { method: 'POST' }),
    ]);

    expect(statuses.map(({ status }) => status)).toEqual([404, 405, 404]);
  });
});
