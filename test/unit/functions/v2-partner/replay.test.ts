import { describe, expect, test } from '@jest/globals';
import type { Delivery } from '../../../../functions/shared/domain/event/delivery.ts';
import { flushDue } from '../../../../functions/shared/publish/flush.ts';
import { aNotifiedPartner } from '../../../support/apis/notified-partner.ts';
import { aV2Partner } from '../../../support/apis/v2-partner.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { messageIn } from '../../../support/builders/sent-events.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../../support/builders/transactions.ts';
import { directoryOver } from '../../../support/memory/partners.ts';
import { aBus, aPublishing } from '../../../support/memory/publishing.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const minute = 60_000;
const idOf = (n: number) => `00000000-0000-5000-8000-${String(n).padStart(12, '0')}`;
const partner = aPartner({ webhookUrl: 'https://partner.example/hook' });
const { clientId } = partner;
const transactions = [
  aNewTransaction({ uuid: uuidOf(1) }, { version: 9 }),
  aNewTransaction({ uuid: uuidOf(2), ndMeta: anOwner({ group: 'group-b' }) }, { version: 9 }),
  aNewTransaction({ uuid: uuidOf(3) }, { version: 9 }),
];

const post = { method: 'POST' } as const;
const jsonPost = (body: object, headers: Record<string, string> = {}) => ({
  ...post,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const aWorld = async (more: Parameters<typeof aV2Partner>[0] = {}) => {
  const world = await aV2Partner({ transactions, partners: [partner], ...more });
  const bus = aBus();
  const clock = () => world.time.now;
  const deps = aPublishing({ ...world, partners: directoryOver(world.partners), bus, clock });
  /** What the next tick gives to the bus. */
  const flush = async () => {
    bus.taken.length = 0;
    await flushDue(deps, { beginUntilMs: clock().getTime() + 15_000 });
    return [...bus.taken];
  };
  const body = (uuid: string, to: number) => ({
    plain: JSON.stringify({ id: 'x', detail: { uuid, status: 0, ndMeta: null, vehicle: { to } } }),
  });
  /** An event that the bus has had. */
  const notifyAccepted = (n: number, facts: Parameters<typeof world.notify>[0] = {}) =>
    world.notify(
      { eventId: idOf(n), state: 'ACCEPTED', claimedAtMs: noon - minute * (100 - n), ...facts },
      body(facts.uuid ?? uuidOf(1), facts.to ?? 1),
    );
  return { ...world, flush, notifyAccepted };
};

describe('V2-9 replay of one event', () => {
  test('V2-9 EV-12 I6 sends it again with its id and bytes, even after newer events', async () => {
    const { ask, notifyAccepted, flush, deliveryLog } = await aWorld();
    await notifyAccepted(1, { from: 1, to: 2 });
    await notifyAccepted(2, { from: 2, to: 3 });

    const { status, body, headers } = await ask(`/api/v2/event/${idOf(1)}/replay`, post);

    expect(status).toBe(202);
    expect(body).toEqual({
      data: [
        {
          id: idOf(1),
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
    const stored = await deliveryLog.event(idOf(1));
    expect(await flush()).toMatchObject([{ eventId: idOf(1), clientId, message: stored?.bodies?.plain }]);
  });

  test('V2-9 EV-12 sends it by itself, not coalesced with a newer event', async () => {
    const { ask, flush, changeAndNotify } = await aNotifiedPartner({ transactions, partners: [partner] });
    const [first] = await changeAndNotify(uuidOf(1), { vehicle: { n: 1 } });
    await changeAndNotify(uuidOf(1), { vehicle: { n: 2 } });

    await ask(`/api/v2/event/${first?.eventId}/replay`, post);

    expect(await flush()).toMatchObject([{ eventId: first?.eventId, message: first?.message }]);
  });

  test('V2-9 looks for newer events with five requests at most', async () => {
    const { notifyAccepted, ...world } = await aWorld();
    await notifyAccepted(1);
    const asked: unknown[] = [];
    const deliveriesOfTransaction: typeof world.deliveryLog.deliveriesOfTransaction = (uuid, span) => {
      asked.push(span);
      return world.deliveryLog.deliveriesOfTransaction(uuid, span);
    };
    const deliveryLog = { ...world.deliveryLog, deliveriesOfTransaction };
    const { ask } = await aV2Partner({ transactions, partners: [partner], deliveryLog });

    await ask(`/api/v2/event/${idOf(1)}/replay`, post);

    expect(asked).toEqual([{ clientId, atMostPages: 5 }]);
  });

  test('V2-9 a newer event that was suppressed does not count as sent', async () => {
    const { ask, notifyAccepted } = await aWorld();
    await notifyAccepted(1, { from: 1, to: 2 });
    await notifyAccepted(2, { from: 2, to: 3, state: 'SUPPRESSED', reason: 'OUT_OF_SCOPE' });

    const { body } = await ask(`/api/v2/event/${idOf(1)}/replay`, post);

    expect(body.data).toMatchObject([{ id: idOf(1), newerVersion: null }]);
  });

  test.each(['HELD', 'DELIVERED', 'DEAD', 'SUPPRESSED'] as const)(
    'V2-9 an event that was %s is sent if nothing prevents it now',
    async (state) => {
      const { ask, notifyAccepted, flush } = await aWorld();
      await notifyAccepted(1, { state });

      const { body } = await ask(`/api/v2/event/${idOf(1)}/replay`, post);

      expect(body.data).toMatchObject([{ id: idOf(1), outcome: 'scheduled' }]);
      expect(await flush()).toMatchObject([{ eventId: idOf(1), clientId }]);
    },
  );

  test('V2-9 an event under way is not scheduled again', async () => {
    const { ask, notifyAccepted, deliveryLog } = await aWorld();
    await notifyAccepted(1, { state: 'READY', dueAtMs: noon + minute });

    const { body } = await ask(`/api/v2/event/${idOf(1)}/replay`, post);

    expect(body.data).toMatchObject([{ id: idOf(1), outcome: 'underway' }]);
    expect(await deliveryLog.delivery({ eventId: idOf(1), clientId })).toMatchObject({
      dueAtMs: noon + minute,
    });
  });

  test('V2-9 an event whose body has expired is reported and not scheduled', async () => {
    const { ask, notifyAccepted, flush } = await aWorld();
    await notifyAccepted(1, { claimedAtMs: noon - 60 * 24 * 60 * minute });

    const { status, body } = await ask(`/api/v2/event/${idOf(1)}/replay`, post);

    expect([status, body.data[0].outcome]).toEqual([202, 'expired']);
    expect(await flush()).toEqual([]);
  });

  test('GRANT-2 V2-9 an event that the partner may not know of is 404 and is not scheduled', async () => {
    const { ask, notifyAccepted, flush } = await aWorld();
    await notifyAccepted(1, { uuid: uuidOf(2) });
    await notifyAccepted(2, { clientId: 'OTHER' });

    for (const n of [1, 2, 3]) expect((await ask(`/api/v2/event/${idOf(n)}/replay`, post)).status).toBe(404);
    expect(await flush()).toEqual([]);
  });

  test('GRANT-2 S-54 V2-9 a scheduled event is checked again, with the grants at the time of sending', async () => {
    const { ask, notifyAccepted, flush, deliveryLog, partners } = await aWorld();
    await notifyAccepted(1);
    await ask(`/api/v2/event/${idOf(1)}/replay`, post);

    await partners.update({ before: partner, after: { ...partner, grants: [{ group: 'group-c' }] } });

    expect(await flush()).toEqual([]);
    expect(await deliveryLog.delivery({ eventId: idOf(1), clientId })).toMatchObject({
      state: 'SUPPRESSED',
      reason: 'OUT_OF_SCOPE',
    });
  });
});

describe('V2-10 replay of all events since a time', () => {
  test('V2-10 EV-12 sends one event for each transaction, with its current values', async () => {
    const { ask, flush, changeAndNotify, pass } = await aNotifiedPartner({
      transactions,
      partners: [partner],
    });
    const first = await changeAndNotify(uuidOf(1), { vehicle: { n: 1 } });
    const second = await changeAndNotify(uuidOf(1), { customer: { n: 2 } });
    const other = await changeAndNotify(uuidOf(3), { vehicle: { n: 3 } });
    await changeAndNotify(uuidOf(2), { vehicle: { n: 4 } });

    const { status, body } = await ask('/api/v2/event/replay', jsonPost({ since: '2026-03-01T00:00:00Z' }));

    expect(status).toBe(202);
    expect(body.next).toBeNull();
    expect(body.data).toMatchObject([
      {
        id: first[0]?.eventId,
        transaction: uuidOf(1),
        ...{ fromVersion: 0, toVersion: 11, outcome: 'scheduled' },
        standsFor: [second[0]?.eventId],
      },
      { id: other[0]?.eventId, transaction: uuidOf(3), outcome: 'scheduled', standsFor: [] },
    ]);
    const sent = [...(await flush()), ...(await flush())];
    pass(30);
    sent.push(...(await flush()));
    expect(sent.map(({ message }) => messageIn(message).detail)).toMatchObject([
      { uuid: uuidOf(1), vehicle: { n: 1 }, customer: { n: 2 } },
      { uuid: uuidOf(3), vehicle: { n: 3 } },
    ]);
    expect(sent[1]?.message).toBe(other[0]?.message);
  });

  test('V2-10 a coalesced event, selected by its state, is sent as the event that covers it', async () => {
    const { ask, flush, changeAndNotify, pass } = await aNotifiedPartner({
      transactions,
      partners: [partner],
    });
    const [first] = await changeAndNotify(uuidOf(1), { vehicle: { n: 1 } });
    await changeAndNotify(uuidOf(1), { customer: { n: 2 } });
    const day = { since: '2026-03-01T00:00:00Z' };
    await ask('/api/v2/event/replay', jsonPost(day));
    const folded = await flush();
    pass(600);

    const { body } = await ask('/api/v2/event/replay', jsonPost({ ...day, state: 'withheld' }));

    expect(body.data).toMatchObject([{ id: first?.eventId, outcome: 'scheduled', standsFor: [] }]);
    expect(folded.map(({ from, to }) => [from, to])).toEqual([[0, 11]]);
    expect(await flush()).toEqual(folded);
  });

  test('V2-10 V2-9 an event that was replayed alone just before is sent as stored, with one event for everything after it', async () => {
    const { ask, flush, changeAndNotify } = await aNotifiedPartner({ transactions, partners: [partner] });
    const [first] = await changeAndNotify(uuidOf(1), { vehicle: { n: 1 } });
    const [second] = await changeAndNotify(uuidOf(1), { vehicle: { n: 2 } });
    await ask(`/api/v2/event/${first?.eventId}/replay`, post);

    const { body } = await ask('/api/v2/event/replay', jsonPost({ since: '2026-03-01T00:00:00Z' }));

    expect(body.data).toMatchObject([
      { id: first?.eventId, outcome: 'underway', standsFor: [] },
      { id: second?.eventId, outcome: 'scheduled', standsFor: [] },
    ]);
    const bodies = (await flush()).map(({ message }) => message);
    expect(new Set(bodies)).toEqual(new Set([first?.message, second?.message]));
  });

  test('V2-10 an event that is already scheduled is reported as under way, and sent once', async () => {
    const { ask, notifyAccepted, flush, time } = await aWorld();
    await notifyAccepted(1);
    const outcomeOf = async () =>
      (await ask('/api/v2/event/replay', jsonPost({ since: '2026-03-01T00:00:00Z' }))).body.data[0].outcome;

    expect([await outcomeOf(), await outcomeOf()]).toEqual(['scheduled', 'underway']);
    expect(await flush()).toHaveLength(1);
    time.now = new Date(noon + 1000);
    expect(await outcomeOf()).toBe('scheduled');
    expect(await flush()).toHaveLength(1);
  });

  test.each<[string, Partial<Delivery>]>([
    ['was then withheld', { from: 0, to: 101, state: 'SUPPRESSED', reason: 'OUT_OF_SCOPE' }],
    ['is of a later change alone', { from: 101, to: 102 }],
    ['is a completion', { from: 0, to: 101, type: 'TransactionCompleted' }],
  ])(
    'V2-10 what was made since the first request says nothing of an event, where it %s',
    async (_, facts) => {
      const { ask, notifyAccepted, time } = await aWorld();
      for (let n = 0; n < 101; n += 1)
        await notifyAccepted(n, { from: n, to: n + 1, claimedAtMs: noon - 200 + n });
      const { body } = await ask('/api/v2/event/replay', jsonPost({ since: '2026-03-01T00:00:00Z' }));
      time.now = new Date(noon + minute);
      await notifyAccepted(200, { ...facts, claimedAtMs: noon + 1000 });

      const second = await ask('/api/v2/event/replay', jsonPost(body.next));

      expect(second.body.data).toMatchObject([{ id: idOf(100), outcome: 'scheduled' }]);
    },
  );

  test('V2-10 several requests report each transaction once, and read no bodies', async () => {
    const world = await aNotifiedPartner({ transactions, partners: [partner] });
    for (let n = 0; n < 250; n += 1) await world.changeAndNotify(uuidOf(1), { vehicle: { n } });
    let bodiesRead = 0;
    const deliveryLog = {
      ...world.deliveryLog,
      event: (id: string) => {
        bodiesRead += 1;
        return world.deliveryLog.event(id);
      },
    };
    const counted = await aV2Partner({ transactions, partners: [partner], deliveryLog });
    counted.time.now = world.time.now;
    const sent: string[] = [];
    const outcomes: string[] = [];
    for (let body: object | null = { since: '2026-03-01T00:00:00Z' }; body !== null; ) {
      const answer = await counted.ask('/api/v2/event/replay', jsonPost(body));
      outcomes.push(...answer.body.data.map(({ outcome }: { outcome: string }) => outcome));
      body = answer.body.next;
      for (let tick = 0; tick < 3; tick += 1) {
        sent.push(...(await world.flush()).map(({ message }) => message));
        world.pass(20);
        counted.time.now = world.time.now;
      }
    }

    expect(outcomes).toEqual(['scheduled', 'underway', 'underway']);
    expect(sent.map((message) => messageIn(message).detail.vehicle)).toEqual([{ n: 249 }]);
    expect(bodiesRead).toBe(0);
  });

  test('V2-10 filters by time, type, state and transaction, as a list does', async () => {
    const { ask, notifyAccepted } = await aWorld();
    await notifyAccepted(1, { state: 'DEAD', reason: 'HTTP_400' });
    await notifyAccepted(2, { from: 1, to: 2, uuid: uuidOf(3) });
    await notifyAccepted(3, { from: 4, to: 5, type: 'TransactionCompleted' });
    const idsOf = async (members: object) =>
      (
        await ask('/api/v2/event/replay', jsonPost({ since: '2026-02-28T00:00:00Z', ...members }))
      ).body.data.map(({ id }: { id: string }) => id);

    expect(await idsOf({ state: 'failed' })).toEqual([idOf(1)]);
    expect(await idsOf({ transaction: uuidOf(3) })).toEqual([idOf(2)]);
    expect(await idsOf({ type: 'TransactionCompleted' })).toEqual([idOf(3)]);
    expect(await idsOf({ since: '2026-03-01T12:00:00Z' })).toEqual([]);
    expect(await idsOf({ transaction: uuidOf(2) })).toEqual([]);
  });

  test('V2-10 a request reads a hundred events; the next one continues, up to the time of the first', async () => {
    const { ask, notifyAccepted, time } = await aWorld({
      transactions: Array.from({ length: 150 }, (_, n) =>
        aNewTransaction({ uuid: uuidOf(n) }, { version: 9 }),
      ),
    });
    for (let n = 0; n < 150; n += 1)
      await notifyAccepted(n, { uuid: uuidOf(n), claimedAtMs: noon - minute * (200 - n) });

    const first = await ask('/api/v2/event/replay', jsonPost({ since: '2026-03-01T00:00:00Z' }));
    time.now = new Date(noon + minute);
    await notifyAccepted(200, { uuid: uuidOf(1), from: 1, to: 2, claimedAtMs: noon + 1000 });
    const second = await ask('/api/v2/event/replay', jsonPost(first.body.next));

    expect(first.body.data).toHaveLength(100);
    expect(second.body.data).toHaveLength(50);
    expect(second.body.next).toBeNull();
    const ids = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id);
    expect(new Set(ids)).toEqual(new Set(Array.from({ length: 150 }, (_, n) => idOf(n))));
  });

  test('V2-10 EV-12 the next request continues while no event is given up in between', async () => {
    const { ask, notifyAccepted } = await aWorld();
    for (let n = 0; n < 101; n += 1) await notifyAccepted(n, { claimedAtMs: noon - minute * (200 - n) });
    const first = await ask('/api/v2/event/replay', jsonPost({ since: '2026-03-01T00:00:00Z' }));
    await notifyAccepted(500, { state: 'DEAD', reason: 'HTTP_400', claimedAtMs: noon + 1, from: 0, to: 9 });

    const second = await ask('/api/v2/event/replay', jsonPost(first.body.next));

    expect(second.body.data).toMatchObject([{ id: idOf(100), outcome: 'scheduled' }]);
  });

  test.each([
    [{ since: '2026-03-01T00:00:00Z', after: { toString: 1 } }, 422],
    [{ since: '2099-01-01T00:00:00Z' }, 202],
    [{ since: '0000-01-01T00:00:00Z' }, 202],
    [{ since: '2026-03-01T00:00:00.123456789Z' }, 202],
    [{ since: '2026-03-01T00:00:00.1234567890Z' }, 422],
    [{ since: '2026-03-01T00:00:00Z', transaction: 'x'.repeat(100) }, 202],
  ])('ERR-4 V2-10 %j is answered with %d', async (body, expected) => {
    const { ask } = await aWorld();

    expect((await ask('/api/v2/event/replay', jsonPost(body))).status).toBe(expected);
  });

  test('FLT-4 V2-10 query parameters that would filter or page are 422', async () => {
    const { ask } = await aWorld();

    const { status, body } = await ask(
      '/api/v2/event/replay?filter[type]=TransactionUpdated&page=2&per-page=3',
      jsonPost({ since: '2026-03-01T00:00:00Z' }),
    );

    expect(status).toBe(422);
    expect(body.errors).toEqual([
      { field: 'filter[type]', message: 'Only lists take a filter.' },
      { field: 'page', message: 'This list has no page numbers. Follow next instead.' },
    ]);
  });

  test('S-13 V2-10 the response names every fault of the body at once', async () => {
    const { ask } = await aWorld();

    const { status, body } = await ask(
      '/api/v2/event/replay',
      jsonPost({ since: 'yesterday', type: 'Updated', state: 'READY', until: 1, after: 'none' }),
    );
    const without = await ask('/api/v2/event/replay', jsonPost({}));

    expect(status).toBe(422);
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      ...['after', 'since', 'state', 'type', 'until'],
    ]);
    expect(without.body.errors).toEqual([{ field: 'since', message: 'The member is missing.' }]);
  });

  test.each([
    [{ 'Content-Type': 'text/plain' }, 415],
    [{ 'Content-Type': 'application/json' }, 400],
  ])('WR-4 V2-10 a body that is not JSON is refused', async (headers, expected) => {
    const { ask } = await aWorld();

    expect((await ask('/api/v2/event/replay', { ...post, headers, body: 'since' })).status).toBe(expected);
  });

  test('S-03 V2-10 a cursor of another partner, or of other filters, is refused', async () => {
    const { ask, notifyAccepted } = await aWorld();
    for (let n = 0; n < 101; n += 1) await notifyAccepted(n, { from: n, to: n + 1 });
    const { body } = await ask('/api/v2/event/replay', jsonPost({ since: '2026-03-01T00:00:00Z' }));

    const other = await ask('/api/v2/event/replay', jsonPost({ ...body.next, state: 'sent' }));

    expect(other.status).toBe(422);
    expect(other.body.errors).toMatchObject([{ field: 'after' }]);
    expect(other.body.type).toBe('https://api.example/docs/problems#unfitting-cursor');
  });
});

describe('V2-11 all requests that send something', () => {
  const orders = [
    ['one event', `/api/v2/event/${idOf(1)}/replay`, {}, 'write'],
    ['since a time', '/api/v2/event/replay', { since: '2026-03-01T00:00:00Z' }, 'write'],
    ['a test', '/api/v2/webhook/test', {}, 'webhook'],
  ] as const;

  test.each(orders)(
    'V2-11 ERR-1 %s: without a webhook, while it is paused, and while all are stopped: 409, each with its own type',
    async (_, path, body, _scope) => {
      for (const [change, type, reason] of [
        [{ webhookUrl: undefined }, 'webhook-missing', /no webhook/],
        [{ webhookPaused: 'operator' }, 'webhook-paused', /paused/],
        [{ oauthScopes: ['nop2/write', 'nop2/webhook'] }, 'read-scope-missing', /nop2\/read/],
      ] as const) {
        const { webhookUrl: _url, ...rest } = { ...partner, ...change };
        const changed = { ...rest, ...('webhookUrl' in change ? {} : { webhookUrl: partner.webhookUrl }) };
        const { ask, notifyAccepted, flush } = await aWorld({ partners: [changed as typeof partner] });
        await notifyAccepted(1);

        const answer = await ask(path, jsonPost(body));

        expect(answer.status).toBe(409);
        expect(answer.body.type).toBe(`https://api.example/docs/problems#${type}`);
        expect(answer.body.detail).toMatch(reason);
        expect(await flush()).toEqual([]);
      }
    },
  );

  test.each(orders)(
    'V2-11 WR-1 %s: a repeated key gets the same answer, paused or not, and sends nothing',
    async (_, path, body, _scope) => {
      const { ask, notifyAccepted, flush, partners } = await aWorld();
      await notifyAccepted(1);
      const keyed = jsonPost(body, { 'Idempotency-Key': 'k1' });

      const first = await ask(path, keyed);
      await flush();
      await partners.update({ before: partner, after: { ...partner, webhookPaused: 'operator' } });
      const second = await ask(path, keyed);

      expect(second.text).toBe(first.text);
      expect([second.status, second.headers['Idempotency-Replayed']]).toEqual([202, 'true']);
      expect(await flush()).toEqual([]);
      const otherBody = await ask(
        path,
        jsonPost({ ...body, since: '2026-02-27T00:00:00Z' }, { 'Idempotency-Key': 'k1' }),
      );
      expect([otherBody.status, otherBody.body.type]).toEqual([
        422,
        'https://api.example/docs/problems#idempotency-key-reused',
      ]);
    },
  );

  test('GRANT-2 V2-11 WR-1 a replayed answer names only events that the partner may still know of', async () => {
    const { ask, notifyAccepted, transactions: store } = await aWorld();
    await notifyAccepted(1);
    await notifyAccepted(2, { uuid: uuidOf(3) });
    const keyed = jsonPost({ since: '2026-03-01T00:00:00Z' }, { 'Idempotency-Key': 'k1' });
    const first = await ask('/api/v2/event/replay', keyed);

    const before = await store.byUuid(uuidOf(3));
    if (!before) throw new Error('no transaction');
    await store.replace(before, {
      ...before,
      transaction: { ...before.transaction, ndMeta: anOwner({ group: 'group-b' }) },
      version: 10,
    });

    expect(first.body.data).toHaveLength(2);
    expect((await ask('/api/v2/event/replay', keyed)).body.data).toMatchObject([{ transaction: uuidOf(1) }]);
  });

  test.each([
    ['replay', `/api/v2/event/${idOf(1)}/replay`, 60],
    ['webhook-test', '/api/v2/webhook/test', 10],
  ])(
    'V2-11 %s has a limit for each partner in ten minutes, and says when to retry',
    async (name, path, quota) => {
      const other = aPartner({ ...partner, clientId: 'BCDEFGHIJKLMNOPQRSTUVWXYZA', name: 'Other' });
      const { ask, notifyAccepted, time } = await aWorld({ partners: [partner, other] });
      await notifyAccepted(1);
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
    'S-11 V2-11 V2-13 %s: a token without nop2/read sees nothing, and one without the OAuth scope is 403',
    async (_, path, body, scope) => {
      const { ask, notifyAccepted } = await aWorld();
      await notifyAccepted(1);

      const writing = await ask(path, { ...jsonPost(body), as: `${scope}.${clientId}` });
      const reading = await ask(path, { ...jsonPost(body), as: `read.${clientId}` });

      expect(writing.status).toBe(202);
      expect(writing.text).not.toContain(uuidOf(1));
      expect(reading.status).toBe(403);
    },
  );

  test.each(orders)('VERB-1 %s: GET is 405 and POST is allowed', async (_, path, _body, _scope) => {
    const { ask } = await aWorld();

    const { status, headers } = await ask(path);

    expect([status, headers.Allow]).toEqual([405, 'POST, OPTIONS']);
  });
});

describe('V2-12 a test of the webhook', () => {
  test('V2-12 is sent like an event, to this partner only, and its row shows the result', async () => {
    const { ask, flush, get } = await aWorld();

    const { status, body, headers } = await ask('/api/v2/webhook/test', post);

    expect(status).toBe(202);
    expect(body).toMatchObject({ type: 'WebhookTest', transaction: null, state: 'waiting' });
    expect(headers.Location).toBe(`https://api.example/v2/event/${body.id}`);
    expect(body._links.self.href).toBe(headers.Location);
    const [entry, ...others] = await flush();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ clientId, type: 'WebhookTest', eventId: body.id });
    expect(messageIn(entry?.message ?? '')).toMatchObject({
      id: body.id,
      'detail-type': 'WebhookTest',
      source: 'svc.local.online-payments',
      detail: {},
    });
    const shown = await get(`/api/v2/event/${body.id}`);
    expect(shown.body).toMatchObject({ state: 'sent', message: { id: body.id, detail: {} } });
    expect(shown.body.timeline.map(({ step }: { step: string }) => step)).toEqual([
      ...['changed', 'created', 'scheduled', 'sent'],
    ]);
    expect((await get('/api/v2/event?filter[type]=WebhookTest')).body.data).toMatchObject([{ id: body.id }]);
  });

  test('V2-12 cannot be replayed alone: the partner requests another test', async () => {
    const { ask, flush } = await aWorld();
    const { body } = await ask('/api/v2/webhook/test', post);
    await flush();

    const again = await ask(`/api/v2/event/${body.id}/replay`, post);

    expect([again.status, again.body.type]).toEqual([
      409,
      'https://api.example/docs/problems#test-not-replayable',
    ]);
  });

  test('V2-12 WR-1 two parallel requests under one key are one test', async () => {
    const { ask, flush } = await aWorld();
    const keyed = { ...post, headers: { 'Idempotency-Key': 'k1' } };

    const [one, other] = await Promise.all([
      ask('/api/v2/webhook/test', keyed),
      ask('/api/v2/webhook/test', keyed),
    ]);

    expect(other.body.id).toBe(one.body.id);
    expect(await flush()).toHaveLength(1);
  });

  test('V2-12 WR-1 a key that is reused after a day sends another test', async () => {
    const { ask, flush, time } = await aWorld();
    const keyed = { ...post, headers: { 'Idempotency-Key': 'k1' } };
    const one = await ask('/api/v2/webhook/test', keyed);
    await flush();
    time.now = new Date(noon + 25 * 60 * minute);

    const other = await ask('/api/v2/webhook/test', keyed);

    expect(other.body).toMatchObject({ state: 'waiting', createdAt: '2026-03-02T13:00:00.000Z' });
    expect(await flush()).toMatchObject([{ eventId: other.body.id }]);
    expect(other.body.id).not.toBe(one.body.id);
  });

  test('V2-12 is not part of a replay since a time', async () => {
    const { ask, flush } = await aWorld();
    await ask('/api/v2/webhook/test', post);
    await flush();

    const { body } = await ask('/api/v2/event/replay', jsonPost({ since: '2026-03-01T00:00:00Z' }));

    expect(body.data).toEqual([]);
  });
});
