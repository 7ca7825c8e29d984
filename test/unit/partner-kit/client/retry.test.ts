import { describe, expect, test } from '@jest/globals';
import { pauseMs, retryAfterMs } from '../../../../partner-kit/src/client/retry.ts';
import type { Client } from '../../../../partner-kit/src/index.ts';
import { aClient, anEmptyPage, aProblem, inTurn, json } from '../../../support/partner-kit/fake-service.ts';

const page = () => json(anEmptyPage);
const payment = { transaction: 'u', type: 1, value: '1.00', status: 1 } as const;
const reset = () =>
  Promise.reject(
    new TypeError('fetch failed', { cause: Object.assign(new Error('read'), { code: 'ECONNRESET' }) }),
  );

/** An answer that never comes, of a network that listens to the signal. */
const endingWith = (signal: AbortSignal) =>
  new Promise<Response>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

describe('KIT-4 retries', () => {
  test.each([
    [2, [429, 502, 503, 504]],
    [1, [400, 403, 404, 409, 412, 422, 500]],
  ])('KIT-4 %i attempts are made where the first answer is one of %j', async (attempts, statuses) => {
    for (const status of statuses) {
      const { client, sent } = aClient({ api: inTurn(() => aProblem(status), page) });
      const listed = await client.transactions.list().then(
        () => 200,
        (error) => error.status,
      );

      expect([sent.length, listed]).toEqual([attempts, attempts === 2 ? 200 : status]);
    }
  });

  test('KIT-4 Retry-After is waited for, in seconds or as a date, and a little longer', async () => {
    const { client, clock } = aClient({
      api: inTurn(
        () => aProblem(503, {}, { 'Retry-After': '7' }),
        () => aProblem(429, {}, { 'Retry-After': 'Sun, 22 Nov 2026 12:00:40 GMT' }),
        page,
      ),
      random: () => 0.5,
    });

    await client.transactions.list();

    // 7 s and half of 250 ms; then the 32.875 s that are left until the date, and half of 500 ms.
    expect(clock.pauses).toEqual([7_125, 33_125]);
  });

  test('KIT-4 a wait beyond the limit is left to the caller', async () => {
    const { client, clock, sent } = aClient({
      api: () => aProblem(429, {}, { 'Retry-After': '61' }),
    });

    await expect(client.transactions.list()).rejects.toMatchObject({
      type: 'too-many-requests',
      retryAfterMs: 61_000,
    });

    expect([sent.length, clock.pauses]).toEqual([1, []]);
  });

  test('KIT-4 attempts end, and the last refusal is thrown', async () => {
    const { client, sent } = aClient({ api: () => aProblem(503) });

    await expect(client.transactions.list()).rejects.toMatchObject({ type: 'unavailable', status: 503 });

    expect(sent).toHaveLength(5);
  });

  test('KIT-4 a broken connection is tried again, and in the end thrown with its code', async () => {
    const { client, sent } = aClient({ api: reset, attempts: 3 });

    await expect(client.transactions.list()).rejects.toMatchObject({
      type: 'no-answer',
      reason: 'network',
      code: 'ECONNRESET',
      message: 'The connection failed: ECONNRESET.',
    });

    expect(sent).toHaveLength(3);
  });

  test('KIT-4 an attempt that takes too long is aborted and tried again', async () => {
    let isFirst = true;
    const { client, sent, tokensAsked, clock } = aClient({
      api: (_request, signal) => {
        if (!isFirst) return page();
        isFirst = false;
        return endingWith(signal);
      },
      timesOut: () => tokensAsked.length === 1 && sent.length === 0,
    });

    await client.transactions.list();

    expect(sent).toHaveLength(2);
    expect(clock.pauses[0]).toBe(30_000);
  });

  test('KIT-4 pauses grow up to their limit, with full jitter', () => {
    const most = (failures: number) => pauseMs({ failures, random: () => 0.999_999 });

    expect([0, 1, 2, 3, 6, 7, 20].map(most)).toEqual([249, 499, 999, 1_999, 15_999, 19_999, 19_999]);
    expect(pauseMs({ failures: 9, random: () => 0 })).toBe(0);
  });

  test('KIT-4 an invalid Retry-After is ignored', () => {
    expect(['', 'soon', '-1', '1.5.5', null].map((value) => retryAfterMs(value, 0))).toEqual(
      Array(5).fill(undefined),
    );
    expect(retryAfterMs('Thu, 01 Jan 1970 00:00:00 GMT', 5_000)).toBe(0);
  });
});

describe('KIT-5 writes', () => {
  test('KIT-5 a write has a generated key, the same for every attempt and another for every call', async () => {
    const { client, sent } = aClient({
      api: inTurn(
        reset,
        () => aProblem(503),
        () => json({ id: 1 }, { status: 201 }),
      ),
    });

    await client.payments.create(payment);
    await client.payments.create(payment);

    const keys = sent.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys[0]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
    expect(keys[3]).not.toBe(keys[0]);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
  });

  const none = { idempotencyKey: null };
  test.each<[string, (client: Client) => Promise<unknown>]>([
    ['payment', ({ payments }) => payments.create(payment, none)],
    ['test', ({ webhook }) => webhook.test(none)],
    ['replay', ({ events }) => events.replay({ state: 'failed' }, none)],
    ['update', ({ transactions }) => transactions.update('u', { guestEmail: null }, none)],
  ])('KIT-5 %s without a key is never sent twice', async (_, write) => {
    const { client, sent } = aClient({ api: reset });

    await expect(write(client)).rejects.toMatchObject({ type: 'no-answer' });

    expect(sent.map(({ headers }) => headers.has('Idempotency-Key'))).toEqual([false]);
  });

  test('KIT-5 a key of the caller is sent, and a replayed response says so', async () => {
    const { client, sent } = aClient({
      api: () => json({ id: 1 }, { headers: { 'Idempotency-Replayed': 'true' } }),
    });

    const answer = await client.payments.create(payment, { idempotencyKey: 'order-7' });

    expect(sent[0]?.headers.get('Idempotency-Key')).toBe('order-7');
    expect(answer.isReplay).toBe(true);
  });

  test('KIT-5 a conflict after a lost response is retried: the first attempt may still run', async () => {
    const { client, sent } = aClient({
      api: inTurn(
        reset,
        () => aProblem(409),
        () => json({ id: 1 }, { status: 201 }),
      ),
    });

    await client.payments.create(payment);

    expect(sent).toHaveLength(3);
  });

  test('KIT-5 an update names its base version, and says when it is stale', async () => {
    const { client, sent } = aClient({
      api: inTurn(
        () => json({ uuid: 'u' }, { headers: { ETag: '"3.x"' } }),
        () => aProblem(412),
      ),
    });

    const { etag } = await client.transactions.retrieve('u');
    const update = client.transactions.update('u', { guestEmail: 'a@b.example' }, { ifMatch: etag });

    await expect(update).rejects.toMatchObject({ type: 'precondition-failed' });
    expect(sent[1]?.method).toBe('PATCH');
    expect(sent[1]?.headers.get('If-Match')).toBe('"3.x"');
    expect(sent[1]?.body).toBe('{"guestEmail":"a@b.example"}');
  });
});

describe('KIT-28 options of one call', () => {
  const silence = () => new Promise<Response>(() => {});

  const own = { timeoutMs: 1_234, attempts: 2 };
  test.each<[string, (client: Client) => PromiseLike<unknown>]>([
    ['read', ({ transactions }) => transactions.retrieve('id', {}, own)],
    ['list', ({ transactions }) => transactions.list({}, own)],
    ['write', ({ payments }) => payments.create(payment, own)],
  ])('KIT-28 a %s has its own timeout and attempts', async (_, call) => {
    const { client, sent } = aClient({ api: silence });

    await expect(call(client)).rejects.toMatchObject({ message: 'No answer within 1234 ms.' });

    expect(sent).toHaveLength(2);
  });

  test('KIT-28 every response has the id of its request', async () => {
    const { client } = aClient({ api: () => json(anEmptyPage) });

    const answers = [
      await client.transactions.list(),
      await client.events.list(),
      await client.transactions.retrieve('u'),
      await client.webhook.remove(),
    ];

    expect(answers.map(({ requestId }) => requestId)).toEqual(Array(4).fill('request-1'));
  });

  test('KIT-28 onRequest gets each attempt, and no token', async () => {
    const heard: object[] = [];
    const { client } = aClient({
      api: inTurn(reset, () => aProblem(503), page),
      onRequest: (sent) => heard.push(sent),
    });

    await client.transactions.list({ filter: { status: 1 } });

    const url = 'https://api.example.com/api/v2/transaction?filter%5Bstatus%5D=1';
    const ofList = { method: 'GET', url, tookMs: 0 };
    const requestId = 'request-1';
    const error = expect.objectContaining({ type: 'no-answer' });
    expect(heard).toEqual([
      {
        ...{ method: 'POST', url: 'https://auth.example.com/oauth2/token', tookMs: 0 },
        ...{ attempt: 1, status: 200, requestId, error: undefined },
      },
      { ...ofList, attempt: 1, status: undefined, requestId: undefined, error },
      { ...ofList, attempt: 2, status: 503, requestId, error: undefined },
      { ...ofList, attempt: 3, status: 200, requestId, error: undefined },
    ]);
  });
});

describe('KIT-6 a signal', () => {
  test.each([
    ['that is on its way', (signal: AbortSignal) => endingWith(signal)],
    ['that does not listen to it', () => new Promise<Response>(() => {})],
  ])('KIT-6 ends a request %s', async (_, answer) => {
    const giveUp = new AbortController();
    const { client } = aClient({
      api: (_request, signal) => {
        queueMicrotask(() => giveUp.abort(new Error('Enough.')));
        return answer(signal);
      },
    });

    await expect(client.transactions.list({}, { signal: giveUp.signal })).rejects.toThrow('Enough.');
  });

  test('KIT-6 ends a pause, and a call that has not begun', async () => {
    const giveUp = new AbortController();
    const { client, sent } = aClient({
      api: () => {
        giveUp.abort(new Error('Enough.'));
        return aProblem(503);
      },
    });

    await expect(client.transactions.list({}, { signal: giveUp.signal })).rejects.toThrow('Enough.');
    await expect(client.transactions.list({}, { signal: giveUp.signal })).rejects.toThrow('Enough.');

    expect(sent).toHaveLength(1);
  });
});

test('KIT-18 a replay is one request, with a time in UTC', async () => {
  const { client, sent } = aClient({
    api: () =>
      json({ since: '2026-11-22T10:00:00.000Z', until: '2026-11-22T11:00:00.000Z' }, { status: 202 }),
  });

  const { data } = await client.events.replay({ since: new Date('2026-11-22T10:00:00Z'), transaction: 'u' });

  expect(data.until).toBe('2026-11-22T11:00:00.000Z');
  expect(sent.map(({ body }) => JSON.parse(body))).toEqual([
    { since: '2026-11-22T10:00:00.000Z', transaction: 'u' },
  ]);
});
