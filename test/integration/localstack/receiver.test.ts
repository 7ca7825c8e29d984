import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Condition } from '../../../localstack/webhook-receiver/condition.ts';
import {
  type DemoReceiver,
  receiverUrlOf,
  startReceiver,
} from '../../../localstack/webhook-receiver/receiver.ts';

const lines: string[] = [];
let folder: string;
let receiver: DemoReceiver;
let url: string;
let condition: Condition;

const start = async () => {
  receiver = await startReceiver({
    port: 0,
    file: join(folder, 'receiver.db'),
    source: 'svc.local.online-payments',
    signatureOf: (partner) => (partner === 'acme' ? 'signature-of-acme' : undefined),
    say: (line) => lines.push(line.slice('12:00:00'.length)),
    clock: () => new Date('2026-11-21T12:00:00Z'),
    conditionOf: () => condition,
  });
  url = receiverUrlOf(receiver.port);
};
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'receiver-'));
  condition = 'healthy';
  lines.length = 0;
  await start();
});
afterEach(async () => {
  await receiver.stop();
  rmSync(folder, { recursive: true });
});

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

const post = async (body: object, { partner = 'acme', ...headers }: Record<string, string> = {}) => {
  const answer = await fetch(`${url}/${partner}`, {
    method: 'POST',
    headers: { 'X-Webhook-Signature': 'signature-of-acme', ...headers },
    body: JSON.stringify(body),
  });
  await answer.text();
  return answer.status;
};
const webhooks = async () => JSON.parse(await (await fetch(url)).text()).webhooks;
const state = async () => {
  const answer = await fetch(`${url}/acme/transactions/${uuid}`);
  return answer.ok ? answer.json() : undefined;
};

describe('the demo receiver', () => {
  test('TH-03 TH-18 says that a wrong signature was refused; knows no other partner, and takes nothing of another environment', async () => {
    expect([
      await post(message(), { 'X-Webhook-Signature': 'signature-of-acmf' }),
      await post(message(), { partner: 'other' }),
      await post(message(), { partner: '..%2f' }),
      await post(message({ source: 'svc.production.online-payments' })),
    ]).toEqual([401, 404, 404, 400]);
    expect(lines).toEqual(['  acme  a message with a wrong signature was refused']);
    expect(await webhooks()).toEqual([]);
  });

  test('I7 EV-4 after a restart it knows ids, chains, and what it has', async () => {
    await post(message(), versions(0, 2));
    await receiver.stop();
    await start();

    expect(await post(message(), versions(0, 2))).toBe(204);
    expect(await post(message({ id: 'event-2' }), versions(2, 3))).toBe(204);

    expect(lines.slice(1).map((line) => line.replace(/^.*versions /, ''))).toEqual([
      '0 → 2  duplicate: its id is known',
      '2 → 3',
    ]);
    expect(await webhooks()).toMatchObject([
      { id: 'event-2', copies: 1, link: 'fits' },
      { id: 'event-1', copies: 2, link: 'fits' },
    ]);
    expect(await state()).toMatchObject({ version: 3, uuid, customer: { first_name: 'Ann' } });
  });

  test('EV-6 EV-11 a completion changes nothing that it has, a deletion takes all of it', async () => {
    const send = (id: string, to: number, changes: object = {}) =>
      post(message({ id, ...changes }), versions(to - 1, to));
    await send('1', 1);
    await send('2', 2, { 'detail-type': 'TransactionCompleted', detail: { uuid, payments: [{}] } });
    const completed = await state();
    await send('3', 3, { detail: { uuid, status: 0, ndMeta: {}, isDeleted: 1 } });

    const customer = { first_name: 'Ann' };
    expect(completed).toEqual({ version: 1, ndMeta: {}, uuid, status: 0, customer });
    expect(await state()).toBeUndefined();
  });

  test('RUN-10 one that is broken by choice takes nothing, says so, and is healthy again when it is chosen', async () => {
    const sendWhen = (chosen: Condition) => {
      condition = chosen;
      return post(message());
    };

    const statuses = [await sendWhen('answers 500'), await sendWhen('answers 401')];
    condition = 'does not answer';
    const silence = await fetch(`${url}/acme`, {
      ...{ method: 'POST', body: '{}', signal: AbortSignal.timeout(200) },
    }).catch(({ name }: Error) => name);

    expect([...statuses, silence, await sendWhen('healthy')]).toEqual([500, 401, 'TimeoutError', 204]);
    expect(lines.slice(0, 3)).toEqual([
      '  acme  simulates a fault: answers 500',
      '  acme  simulates a fault: answers 401',
      '  acme  simulates a fault: does not answer',
    ]);
    expect(await webhooks()).toHaveLength(1);
  });
});
