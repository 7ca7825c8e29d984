import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { Condition } from '../../../localstack/webhook-receiver/condition.ts';
import {
  type DemoReceiver,
  receiverUrlOf,
  startReceiver,
} from '../../../localstack/webhook-receiver/receiver.ts';

const folder = mkdtempSync(join(tmpdir(), 'receiver-'));
type RunningReceiver = DemoReceiver & { url: string };
const running: RunningReceiver[] = [];
const lines: string[] = [];
const chosen: { condition: Condition } = { condition: 'healthy' };

const start = async (file = `${randomUUID()}.db`) => {
  const started = await startReceiver({
    port: 0,
    file: join(folder, file),
    source: 'svc.local.online-payments',
    signatureOf: (partner) => (partner === 'acme' ? 'signature-of-acme' : undefined),
    say: (line) => lines.push(line),
    clock: () => new Date('2026-11-21T12:00:00Z'),
    conditionOf: () => chosen.condition,
  });
  const receiver = { ...started, url: receiverUrlOf(started.port) };
  running.push(receiver);
  return receiver;
};

afterEach(async () => {
  chosen.condition = 'healthy';
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
const restart = async (file: string) => {
  await running.pop()?.stop();
  return start(file);
};
const webhooks = async ({ url }: RunningReceiver) => JSON.parse(await (await fetch(url)).text()).webhooks;

describe('the demo receiver', () => {
  test('TH-03 TH-18 says that a wrong signature was refused; knows no other partner, and takes nothing of another environment', async () => {
    const receiver = await start();

    expect([
      await post(receiver, message(), { 'X-Webhook-Signature': 'signature-of-acmf' }),
      await post(receiver, message(), { partner: 'other' }),
      await post(receiver, message(), { partner: '..%2f' }),
      await post(receiver, message({ source: 'svc.production.online-payments' })),
    ]).toEqual([401, 404, 404, 400]);
    expect(lines.map((line) => line.slice(8))).toEqual([
      '  acme  a message with a wrong signature was refused',
    ]);
    expect(await webhooks(receiver)).toEqual([]);
  });

  test('I7 EV-4 after a restart it knows ids, chains, the signature that it learnt, and what it has', async () => {
    const next = { 'X-Webhook-Signature': 'new' };
    const receiver = await start('kept.db');
    await post(receiver, message(), { ...versions(0, 2), 'X-Webhook-Signature-Next': 'new' });
    const again = await restart('kept.db');

    expect(await post(again, message(), versions(0, 2))).toBe(204);
    expect(await post(again, message({ id: 'event-2' }), { ...versions(2, 3), ...next })).toBe(204);

    expect(lines.slice(1).map((line) => line.replace(/^.*versions /, ''))).toEqual([
      '0 → 2  duplicate: its id is known',
      '2 → 3',
    ]);
    expect(await webhooks(again)).toMatchObject([
      { id: 'event-2', copies: 1, link: 'fits' },
      { id: 'event-1', copies: 2, link: 'fits' },
    ]);
    expect(await stateIn(again)).toMatchObject({ version: 3, uuid, customer: { first_name: 'Ann' } });
  });

  test('EV-6 EV-11 a completion changes nothing that it has, a deletion takes all of it', async () => {
    const receiver = await start();
    const send = (id: string, to: number, changes: object = {}) =>
      post(receiver, message({ id, ...changes }), versions(to - 1, to));

    await send('1', 1);
    await send('2', 2, { 'detail-type': 'TransactionCompleted', detail: { uuid, payments: [{}] } });
    const completed = await stateIn(receiver);
    await send('3', 3, { detail: { uuid, status: 0, ndMeta: {}, isDeleted: 1 } });

    const customer = { first_name: 'Ann' };
    expect(completed).toEqual({ version: 1, ndMeta: {}, uuid, status: 0, customer });
    expect(await stateIn(receiver)).toBeUndefined();
  });

  test('RUN-10 one that is broken by choice takes nothing, says so, and is healthy again when it is chosen', async () => {
    const receiver = await start();
    const sendWhen = (condition: Condition) => {
      chosen.condition = condition;
      return post(receiver, message());
    };

    const statuses = [await sendWhen('answers 500'), await sendWhen('answers 401')];
    chosen.condition = 'does not answer';
    const silence = await fetch(`${receiver.url}/acme`, {
      ...{ method: 'POST', body: '{}', signal: AbortSignal.timeout(200) },
    }).catch(({ name }: Error) => name);

    expect([...statuses, silence, await sendWhen('healthy')]).toEqual([500, 401, 'TimeoutError', 204]);
    expect(lines.map((line) => line.slice(8)).slice(0, 3)).toEqual([
      '  acme  simulates a fault: answers 500',
      '  acme  simulates a fault: answers 401',
      '  acme  simulates a fault: does not answer',
    ]);
    expect(await webhooks(receiver)).toHaveLength(1);
  });
});

const stateIn = async ({ url }: RunningReceiver) => {
  const answer = await fetch(`${url}/acme/transactions/${uuid}`);
  return answer.ok ? answer.json() : undefined;
};
