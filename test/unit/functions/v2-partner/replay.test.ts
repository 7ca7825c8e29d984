import { describe, expect, test } from '@jest/globals';
import type { Delivery } from '../../../../functions/shared/domain/event/delivery.ts';
import { aNotifiedPartner } from '../../../support/apis/notified-partner.ts';
import type { aV2Partner } from '../../../support/apis/v2-partner.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { anEventId } from '../../../support/builders/events.ts';
import { messageIn } from '../../../support/builders/sent-events.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../../support/builders/transactions.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const minute = 60_000;
const since = '2026-03-01T00:00:00Z';
const partner = aPartner({ webhookUrl: 'https://partner.example/hook' });
const { clientId } = partner;
const transactions = [
  aNewTransaction({ uuid: uuidOf(1) }, { version: 9 }),
  aNewTransaction({ uuid: uuidOf(2), ndMeta: anOwner({ group: 'group-b' }) }, { version: 9 }),
  aNewTransaction({ uuid: uuidOf(3) }, { version: 9 }),
];
const key = { 'Idempotency-Key': 'k1' };
const problemOf = (type: string) => `https://api.example/docs/problems#${type}`;

const aWorld = async (more: Parameters<typeof aV2Partner>[0] = {}) => {
  const world = await aNotifiedPartner({ transactions, partners: [partner], ...more });
  /** An event that the bus has had. */
  const notifyAccepted = (n: number, facts: Partial<Delivery> = {}) => {
    const { uuid = uuidOf(1), to = 1 } = facts;
    const claimedAtMs = noon - minute * (1_000 - n);
    return world.notify(
      { eventId: anEventId(n), state: 'ACCEPTED', claimedAtMs, ...facts },
      { plain: JSON.stringify({ id: 'x', detail: { uuid, status: 0, ndMeta: null, vehicle: { to } } }) },
    );
  };
  const replay = (n: number) => world.ask(`/api/v2/event/${anEventId(n)}/replay`, { method: 'POST' });
  const replaySince = (json: object) => world.ask('/api/v2/event/replay', { json });
  return { ...world, notifyAccepted, replay, replaySince };
};

describe('V2-9 replay of one event', () => {
  test('V2-9 EV-12 I6 sends it again with its id and bytes, even after newer events', async () => {
    const { replay, notifyAccepted, flush, deliveryLog } = await aWorld();
    await notifyAccepted(1, { from: 1, to: 2 });
    await notifyAccepted(2, { from: 2, to: 3 });

    const { status, body, headers } = await replay(1);

    expect(status).toBe(202);
    expect(body).toEqual({
      data: [
        {
          id: anEventId(1),
          type: 'TransactionUpdated',
          transaction: uuidOf(1),
          fromVersion: 1,
          toVersion: 2,
          outcome: 'scheduled',
          standsFor: [],
          newerVersion: 3,
        },
      ],
      next: null,
    });
    expect([headers['RateLimit-Policy'], headers.RateLimit]).toEqual([
      '"partner";q=300;w=60, "replay";q=60;w=600',
      '"partner";r=299;t=60, "replay";r=59;t=600',
    ]);
    const stored = await deliveryLog.event(anEventId(1));
    expect(await flush()).toMatchObject([
      { eventId: anEventId(1), clientId, message: stored?.bodies?.plain },
    ]);
  });

  test('V2-9 looks for newer events with five requests at most', async () => {
    const asked: unknown[] = [];
    const { deliveryLog, notifyAccepted } = await aWorld();
    await notifyAccepted(1);
    const deliveriesOfTransaction: typeof deliveryLog.deliveriesOfTransaction = (uuid, span) => {
      asked.push(span);
      return deliveryLog.deliveriesOfTransaction(uuid, span);
    };
    const { replay } = await aWorld({ deliveryLog: { ...deliveryLog, deliveriesOfTransaction } });

    await replay(1);

    expect(asked).toEqual([{ clientId, atMostPages: 5 }]);
  });

  test('GRANT-2 V2-9 an event that the partner may not know of is 404 and is not scheduled', async () => {
    const { replay, notifyAccepted, flush } = await aWorld();
    await notifyAccepted(1, { uuid: uuidOf(2) });
    await notifyAccepted(2, { clientId: 'OTHER' });

    for (const n of [1, 2, 3]) expect((await replay(n)).status).toBe(404);
    expect(await flush()).toEqual([]);
  });

  test('GRANT-2 S-54 V2-9 a scheduled event is checked again, with the grants at the time of sending', async () => {
    const { replay, notifyAccepted, flush, deliveryLog, partners } = await aWorld();
    await notifyAccepted(1);
    await replay(1);

    await partners.update({ before: partner, after: { ...partner, grants: [{ group: 'group-c' }] } });

    expect(await flush()).toEqual([]);
    const row = await deliveryLog.delivery({ eventId: anEventId(1), clientId });
    expect(row).toMatchObject({ state: 'SUPPRESSED', reason: 'OUT_OF_SCOPE' });
  });
});

describe('V2-10 replay of all events since a time', () => {
  test('V2-10 EV-12 sends one event for each transaction, with its current values', async () => {
    const { replaySince, flush, changeAndNotify, pass } = await aWorld();
    const [first] = await changeAndNotify(uuidOf(1), { vehicle: { n: 1 } });
    const [second] = await changeAndNotify(uuidOf(1), { customer: { n: 2 } });
    const [other] = await changeAndNotify(uuidOf(3), { vehicle: { n: 3 } });
    await changeAndNotify(uuidOf(2), { vehicle: { n: 4 } });

    const { status, body } = await replaySince({ since });

    const scheduled = { outcome: 'scheduled', newerVersion: null };
    expect([status, body.next]).toEqual([202, null]);
    expect(body.data).toMatchObject([
      { id: first?.eventId, fromVersion: 0, toVersion: 11, standsFor: [second?.eventId], ...scheduled },
      { id: other?.eventId, transaction: uuidOf(3), standsFor: [], ...scheduled },
    ]);
    const sent = [...(await flush()), ...(await flush())];
    pass(30);
    sent.push(...(await flush()));
    expect(sent.map(({ message }) => messageIn(message).detail)).toMatchObject([
      { uuid: uuidOf(1), vehicle: { n: 1 }, customer: { n: 2 } },
      { uuid: uuidOf(3), vehicle: { n: 3 } },
    ]);
    expect(sent[1]?.message).toBe(other?.message);
  });

  test('V2-10 a coalesced event, selected by its state, is sent as the event that covers it', async () => {
    const { replaySince, flush, changeAndNotify, pass } = await aWorld();
    const [first] = await changeAndNotify(uuidOf(1), { vehicle: { n: 1 } });
    await changeAndNotify(uuidOf(1), { customer: { n: 2 } });
    await replaySince({ since });
    const folded = await flush();
    pass(600);

    const { body } = await replaySince({ since, state: 'withheld' });

    expect(body.data).toMatchObject([{ id: first?.eventId, outcome: 'scheduled', standsFor: [] }]);
    expect(folded.map(({ from, to }) => [from, to])).toEqual([[0, 11]]);
    expect(await flush()).toEqual(folded);
  });

  test.each<[string, Partial<Delivery>]>([
    ['was then withheld', { from: 0, to: 101, state: 'SUPPRESSED', reason: 'OUT_OF_SCOPE' }],
    ['was then given up', { from: 0, to: 101, state: 'DEAD', reason: 'HTTP_400' }],
    ['is of a later change alone', { from: 101, to: 102 }],
    ['is a completion', { from: 0, to: 101, type: 'TransactionCompleted' }],
  ])(
    'V2-10 EV-12 what was made since the first request says nothing of an event, where it %s',
    async (_, facts) => {
      const { replaySince, notifyAccepted, time } = await aWorld();
      for (let n = 0; n < 101; n += 1) await notifyAccepted(n, { from: n, to: n + 1 });
      const { body } = await replaySince({ since: '2026-02-28T00:00:00Z' });
      time.now = new Date(noon + minute);
      await notifyAccepted(200, { ...facts, claimedAtMs: noon + 1000 });

      const second = await replaySince(body.next);

      expect(second.body.data).toMatchObject([{ id: anEventId(100), outcome: 'scheduled' }]);
    },
  );

  test('V2-10 several requests report each transaction once, and read no bodies', async () => {
    const world = await aWorld();
    for (let n = 0; n < 250; n += 1) await world.changeAndNotify(uuidOf(1), { vehicle: { n } });
    let bodiesRead = 0;
    const event: typeof world.deliveryLog.event = (id) => {
      bodiesRead += 1;
      return world.deliveryLog.event(id);
    };
    const counted = await aWorld({
      deliveryLog: { ...world.deliveryLog, event },
      clock: () => world.time.now,
    });
    const sent: string[] = [];
    const outcomes: string[] = [];
    for (let body: object | null = { since }; body !== null; ) {
      const answer = await counted.replaySince(body);
      outcomes.push(...answer.body.data.map(({ outcome }: { outcome: string }) => outcome));
      body = answer.body.next;
      for (let tick = 0; tick < 3; tick += 1) {
        sent.push(...(await world.flush()).map(({ message }) => message));
        world.pass(20);
      }
    }

    expect(outcomes).toEqual(['scheduled', 'underway', 'underway']);
    expect(sent.map((message) => messageIn(message).detail.vehicle)).toEqual([{ n: 249 }]);
    expect(bodiesRead).toBe(0);
  });

  test('V2-10 filters by time, type, state and transaction, as a list does', async () => {
    const { replaySince, notifyAccepted } = await aWorld();
    await notifyAccepted(1, { state: 'DEAD', reason: 'HTTP_400' });
    await notifyAccepted(2, { from: 1, to: 2, uuid: uuidOf(3) });
    await notifyAccepted(3, { from: 4, to: 5, type: 'TransactionCompleted' });
    const idsOf = async (members: object) =>
      (await replaySince({ since: '2026-02-28T00:00:00Z', ...members })).body.data.map(
        ({ id }: { id: string }) => id,
      );

    expect(await idsOf({ state: 'failed' })).toEqual([anEventId(1)]);
    expect(await idsOf({ transaction: uuidOf(3) })).toEqual([anEventId(2)]);
    expect(await idsOf({ type: 'TransactionCompleted' })).toEqual([anEventId(3)]);
    expect(await idsOf({ since: '2026-03-01T12:00:00Z' })).toEqual([]);
    expect(await idsOf({ since: '2026-03-01T12:00:00+00:00' })).toEqual([]);
    expect(await idsOf({ transaction: uuidOf(2) })).toEqual([]);
  });

  test('V2-10 a request reads a hundred events; the next one continues, up to the time of the first', async () => {
    const numbers = Array.from({ length: 150 }, (_, n) => n);
    const { replaySince, notifyAccepted, time } = await aWorld({
      transactions: numbers.map((n) => aNewTransaction({ uuid: uuidOf(n) }, { version: 9 })),
    });
    for (const n of numbers) await notifyAccepted(n, { uuid: uuidOf(n) });

    const first = await replaySince({ since: '2026-02-28T00:00:00Z' });
    time.now = new Date(noon + minute);
    await notifyAccepted(200, { uuid: uuidOf(1), from: 1, to: 2, claimedAtMs: noon + 1000 });
    const second = await replaySince(first.body.next);

    expect([first.body.data.length, second.body.data.length, second.body.next]).toEqual([100, 50, null]);
    const ids = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id);
    expect(new Set(ids)).toEqual(new Set(numbers.map(anEventId)));
  });

  test.each([
    [{ since, after: { toString: 1 } }, 422],
    [{ since: '2099-01-01T00:00:00Z' }, 202],
    [{ since: '2026-03-01T00:00:00+00:00' }, 202],
    [{ since: '2026-03-01T00:00:00.123456+00:00' }, 202],
    [{ since: '2026-03-01T00:00:00+01:00' }, 422],
    [{ since: '2026-03-01T00:00:00 00:00' }, 422],
    [{ since: '2026-03-01T00:00:00.1234567890Z' }, 422],
    [{ since, transaction: 'x'.repeat(100) }, 202],
  ])('ERR-4 V2-10 %j is answered with %d', async (body, expected) => {
    const { replaySince } = await aWorld();

    expect((await replaySince(body)).status).toBe(expected);
  });

  test('S-13 FLT-4 V2-10 every fault of its body is named at once, and what would narrow or move it in the query', async () => {
    const { ask, replaySince } = await aWorld();
    const target =
      '/api/v2/event/replay?filter[type]=TransactionUpdated&page=2&per-page=3&%20filter[state]=failed';

    const body = await replaySince({
      since: 'yesterday',
      type: 'x',
      state: 'READY',
      until: 1,
      after: 'none',
    });
    const empty = await replaySince({});
    const query = await ask(target, { json: { since } });

    expect([body.status, empty.status, query.status]).toEqual([422, 422, 422]);
    const fields = body.body.errors.map(({ field }: { field: string }) => field);
    expect(fields.sort()).toEqual(['after', 'since', 'state', 'type', 'until']);
    expect(empty.body.errors).toEqual([{ field: 'since', message: 'The member is missing.' }]);
    expect(query.body.errors).toEqual([
      { field: 'filter[type]', message: 'Only lists take a filter.' },
      { field: 'page', message: 'This list has no page numbers. Follow next instead.' },
      {
        field: ' filter[state]',
        message: 'Write the name as filter, without white space, invisible characters, quotes and "amp;".',
      },
    ]);
  });

  test.each<[string, unknown]>([
    ['31 characters', 'x'.repeat(31)],
    ['ten decimals', '2026-03-01T00:00:00.1234567890Z'],
    ['another offset', '2026-03-01T00:00:00.1234567890+01:00'],
    ['a number', 1],
    ['null', null],
  ])('S-13 V2-10 a since of %s is named once', async (_, since) => {
    const { replaySince } = await aWorld();

    const { body } = await replaySince({ since });

    const message = 'The member must be a time in UTC such as 2026-11-22T12:00:00Z.';
    expect(body.errors).toEqual([{ field: 'since', message }]);
  });

  test.each([
    ['text/plain', 415],
    ['application/json', 400],
  ])('WR-4 V2-10 a body of type %s that is no JSON is %d', async (type, expected) => {
    const { ask } = await aWorld();
    const body = { method: 'POST', headers: { 'Content-Type': type }, body: 'since' };

    expect((await ask('/api/v2/event/replay', body)).status).toBe(expected);
  });

  test('S-03 V2-10 a cursor of other members, or of another partner, is refused', async () => {
    const other = aPartner({ clientId: 'BCDEFGHIJKLMNOPQRSTUVWXYZA', name: 'Other' });
    const { ask, replaySince, notifyAccepted } = await aWorld({ partners: [partner, other] });
    for (let n = 0; n < 101; n += 1) await notifyAccepted(n, { from: n, to: n + 1 });
    const { next } = (await replaySince({ since: '2026-02-28T00:00:00Z' })).body;

    const answers = [
      await replaySince({ ...next, state: 'sent' }),
      await ask('/api/v2/event/replay', { json: next, as: other.clientId }),
    ];

    const refusal = { status: 422, type: problemOf('unfitting-cursor'), errors: [{ field: 'after' }] };
    expect(answers.map(({ body }) => body)).toMatchObject([refusal, refusal]);
  });
});

describe('V2-11 all requests that send something', () => {
  const orders: [string, string, object, string][] = [
    ['one event', `/api/v2/event/${anEventId(1)}/replay`, {}, 'write'],
    ['since a time', '/api/v2/event/replay', { since: '2026-02-28T00:00:00Z' }, 'write'],
    ['a test', '/api/v2/webhook/test', {}, 'webhook'],
  ];
  const { webhookUrl: _, ...without } = partner;
  const refusals = [
    [without, 'webhook-missing', /no webhook/],
    [{ ...partner, webhookPaused: 'operator' as const }, 'webhook-paused', /paused/],
    [
      aPartner({ ...partner, oauthScopes: ['nop2/write', 'nop2/webhook'] }),
      'read-scope-missing',
      /nop2\/read/,
    ],
  ] as const;

  test.each(orders)(
    'V2-11 ERR-1 %s: where it would not be sent it is 409 and says why, each by a type of its own',
    async (_order, path, json) => {
      for (const [changed, type, reason] of refusals) {
        const { ask, notifyAccepted, flush } = await aWorld({ partners: [changed] });
        await notifyAccepted(1);

        const { body } = await ask(path, { json });

        expect(body).toMatchObject({
          status: 409,
          type: problemOf(type),
          detail: expect.stringMatching(reason),
        });
        expect(await flush()).toEqual([]);
      }
    },
  );

  test.each(orders)(
    'V2-11 WR-1 %s: a repeated key gets the same answer, paused or not, and sends nothing',
    async (_order, path, json) => {
      const { ask, notifyAccepted, flush, partners } = await aWorld();
      await notifyAccepted(1);

      const first = await ask(path, { json, headers: key });
      await flush();
      await partners.update({ before: partner, after: { ...partner, webhookPaused: 'operator' } });
      const second = await ask(path, { json, headers: key });
      const otherBody = await ask(path, { json: { ...json, since: '2026-02-27T00:00:00Z' }, headers: key });

      expect(second.text).toBe(first.text);
      expect([second.status, second.headers['Idempotency-Replayed']]).toEqual([202, 'true']);
      expect(await flush()).toEqual([]);
      expect(otherBody.body).toMatchObject({ status: 422, type: problemOf('idempotency-key-reused') });
    },
  );

  test('GRANT-2 V2-11 WR-1 a replayed answer names only events that the partner may still know of', async () => {
    const { ask, notifyAccepted, transactions: store } = await aWorld();
    await notifyAccepted(1);
    await notifyAccepted(2, { uuid: uuidOf(3) });
    const transactionsIn = async () => {
      const { body } = await ask('/api/v2/event/replay', {
        json: { since: '2026-02-28T00:00:00Z' },
        headers: key,
      });
      return body.data.map(({ transaction }: { transaction: string }) => transaction);
    };
    const first = await transactionsIn();

    const before = await store.byUuid(uuidOf(3));
    if (!before) throw new Error('no transaction');
    const transaction = { ...before.transaction, ndMeta: anOwner({ group: 'group-b' }) };
    await store.replace(before, { ...before, transaction, version: 10 });

    expect([first, await transactionsIn()]).toEqual([[uuidOf(1), uuidOf(3)], [uuidOf(1)]]);
  });

  test.each([
    ['replay', `/api/v2/event/${anEventId(1)}/replay`, 60],
    ['webhook-test', '/api/v2/webhook/test', 10],
  ])(
    'V2-11 %s has a limit for each partner in ten minutes, and says when to retry',
    async (name, path, quota) => {
      const other = aPartner({ ...partner, clientId: 'BCDEFGHIJKLMNOPQRSTUVWXYZA', name: 'Other' });
      const { ask, notifyAccepted, time } = await aWorld({ partners: [partner, other] });
      await notifyAccepted(1);
      const post = { method: 'POST' };
      for (let n = 1; n <= quota; n += 1) expect((await ask(path, post)).status).toBe(202);
      time.now = new Date(noon + minute);

      const { status, headers } = await ask(path, post);

      expect(status).toBe(429);
      expect(headers).toMatchObject({
        'Retry-After': '540',
        'RateLimit-Policy': `"partner";q=300;w=60, "${name}";q=${quota};w=600`,
        RateLimit: `"partner";r=299;t=60, "${name}";r=0;t=540`,
      });
      expect((await ask('/api/v2/webhook/test', { ...post, as: other.clientId })).status).toBe(202);
      time.now = new Date(noon + 10 * minute);
      expect((await ask(path, post)).status).toBe(202);
    },
  );

  test.each(orders)(
    'S-11 VERB-1 V2-11 V2-13 %s: takes POST and its OAuth scope alone, and shows nothing to a token without nop2/read',
    async (_order, path, json, scope) => {
      const { ask, notifyAccepted } = await aWorld();
      await notifyAccepted(1);

      const writing = await ask(path, { json, as: `${scope}.${clientId}` });
      const reading = await ask(path, { json, as: `read.${clientId}` });
      const { status, headers } = await ask(path);

      expect(writing.status).toBe(202);
      expect(writing.text).not.toContain(uuidOf(1));
      expect(reading.status).toBe(403);
      expect([status, headers.Allow]).toEqual([405, 'POST, OPTIONS']);
    },
  );
});

describe('V2-12 a test of the webhook', () => {
  const aTester = async () => {
    const world = await aWorld();
    const send = (headers = {}) => world.ask('/api/v2/webhook/test', { method: 'POST', headers });
    return { ...world, send };
  };

  test('V2-12 is sent like an event, to this partner only, and its row shows the result', async () => {
    const { send, flush, get } = await aTester();

    const { status, body, headers } = await send();

    expect(status).toBe(202);
    expect(body).toMatchObject({ type: 'WebhookTest', transaction: null, state: 'waiting' });
    expect(headers.Location).toBe(`https://api.example/v2/event/${body.id}`);
    expect(body._links.self.href).toBe(headers.Location);
    const taken = await flush();
    expect(taken).toMatchObject([{ clientId, type: 'WebhookTest', eventId: body.id }]);
    const message = {
      id: body.id,
      'detail-type': 'WebhookTest',
      source: 'svc.local.online-payments',
      detail: {},
    };
    expect(messageIn(taken[0]?.message ?? '')).toMatchObject(message);
    const shown = await get(`/api/v2/event/${body.id}`);
    expect(shown.body).toMatchObject({ state: 'sent', message: { id: body.id, detail: {} } });
    const steps = shown.body.timeline.map(({ step }: { step: string }) => step);
    expect(steps).toEqual(['changed', 'created', 'scheduled', 'sent']);
    expect((await get('/api/v2/event?filter[type]=WebhookTest')).body.data).toMatchObject([{ id: body.id }]);
  });

  test('V2-12 is sent again neither by itself nor with the events of its time', async () => {
    const { send, flush, ask, replaySince } = await aTester();
    const { id } = (await send()).body;
    await flush();

    const { body } = await ask(`/api/v2/event/${id}/replay`, { method: 'POST' });

    expect(body).toMatchObject({ status: 409, type: problemOf('test-not-replayable') });
    expect((await replaySince({ since })).body.data).toEqual([]);
  });

  test('V2-12 WR-1 two parallel requests under one key are one test', async () => {
    const { send, flush } = await aTester();

    const [one, other] = await Promise.all([send(key), send(key)]);

    expect(other.body.id).toBe(one.body.id);
    expect(await flush()).toHaveLength(1);
  });

  test('V2-12 WR-1 S-03 the same key of another partner is another test', async () => {
    const other = { ...partner, clientId: 'ZYXWVUTSRQPONMLKJIHGFEDCBA' };
    const { ask, flush } = await aWorld({ partners: [partner, other] });
    const send = (as: string) => ask('/api/v2/webhook/test', { method: 'POST', headers: key, as });

    const answers = [await send(clientId), await send(other.clientId)];

    expect(answers.map(({ headers }) => headers['Idempotency-Replayed'])).toEqual([undefined, undefined]);
    const ids = answers.map(({ body }) => body.id);
    expect((await flush()).map((sent) => [sent.clientId, sent.eventId]).sort()).toEqual([
      [clientId, ids[0]],
      [other.clientId, ids[1]],
    ]);
  });

  test('V2-12 WR-1 a key that is reused after a day sends another test', async () => {
    const { send, flush, time } = await aTester();
    const one = await send(key);
    await flush();
    time.now = new Date(noon + 25 * 60 * minute);

    const other = await send(key);

    expect(other.body).toMatchObject({ state: 'waiting', createdAt: '2026-03-02T13:00:00.000Z' });
    expect(await flush()).toMatchObject([{ eventId: other.body.id }]);
    expect(other.body.id).not.toBe(one.body.id);
  });
});
