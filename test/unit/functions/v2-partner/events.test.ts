import { describe, expect, test } from '@jest/globals';
import type { Delivery, DeliveryState } from '../../../../functions/shared/domain/event/delivery.ts';
import { aV2Partner } from '../../../support/apis/v2-partner.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { anEventId } from '../../../support/builders/events.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../../support/builders/transactions.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const minute = 60_000;
const day = 24 * 60 * minute;
const mine = aNewTransaction({ uuid: uuidOf(1) }, { version: 9 });
const foreign = aNewTransaction({ uuid: uuidOf(2), ndMeta: anOwner({ group: 'group-b' }) }, { version: 9 });
/** Deleted by its version 5. */
const deleted = aNewTransaction({ uuid: uuidOf(3), isDeleted: 1 }, { version: 5 });

const aWorld = async (more: Parameters<typeof aV2Partner>[0] = {}) => {
  const world = await aV2Partner({ transactions: [mine, foreign, deleted], ...more });
  const list = (query = '', as?: string) => world.get(`/api/v2/event?${query}`, { as });
  /** The ids of a page. */
  const listed = async (query = '') => idsOf((await list(query)).body);
  /** Puts an event for each row, with the ids 1, 2, ... */
  const notifyEach = async (...rows: Partial<Delivery>[]) => {
    for (const [index, row] of rows.entries()) await world.notify({ eventId: anEventId(index + 1), ...row });
  };
  const changePartner = async (changes: Parameters<typeof aPartner>[0]) => {
    await world.partners.update({ before: aPartner(), after: aPartner(changes) });
  };
  return { ...world, list, listed, notifyEach, changePartner };
};

const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);
const pathOf = (href: string) => href.replace('https://api.example', '');

describe('V2-7 a list of events', () => {
  test('V2-7 S-66 shows each event and its state, and nothing internal', async () => {
    const { list, notifyEach } = await aWorld();
    const own = { refusals: 1, failures: 2, redrives: 3, busEventId: 'bus-1', isStandalone: true } as const;
    const shown = { from: 2, to: 4, claimedAtMs: noon - minute, state: 'DEAD', reason: 'HTTP_404' } as const;
    await notifyEach({ ...shown, dueAtMs: noon + minute, ...own });

    const { status, headers, text } = await list();

    expect(status).toBe(200);
    expect(headers.ETag).toMatch(/^W\//);
    expect(text).toBe(
      '{"data":[{"id":"00000000-0000-5000-8000-000000000001","type":"TransactionUpdated",' +
        `"transaction":"${uuidOf(1)}","fromVersion":2,"toVersion":4,"createdAt":"2026-03-01T11:59:00.000Z",` +
        '"state":"retrying","reason":"HTTP_404",' +
        '"meaning":"Your endpoint did not accept it. The next try is at nextAttemptAt. Your endpoint answered 404.",' +
        '"nextAttemptAt":"2026-03-01T12:01:00.000Z"}],' +
        '"_links":{"self":{"href":"https://api.example/v2/event?per-page=10"},' +
        '"first":{"href":"https://api.example/v2/event?per-page=10"}},"_meta":{"perPage":10}}',
    );
  });

  const states: [string, DeliveryState, string | null, Partial<Delivery>][] = [
    ['waiting', 'READY', null, {}],
    ['held', 'HELD', null, {}],
    ['sent', 'ACCEPTED', null, {}],
    ['delivered', 'DELIVERED', null, {}],
    ['retrying', 'DEAD', 'DNS', { reason: 'DNS', dueAtMs: noon }],
    ['failed', 'DEAD', 'HTTP_400', { reason: 'HTTP_400' }],
    // What happens between the bus and us has no name of its own.
    ['failed', 'DEAD', 'OTHER', { reason: 'REFUSED_BY_BUS' }],
    ['withheld', 'SUPPRESSED', 'COALESCED', { reason: 'COALESCED' }],
  ];

  test.each(states)(
    'V2-7 says %s of a row that is %s for the reason %s, and is narrowed to it',
    async (word, state, reason, row) => {
      const { list, notifyEach } = await aWorld();
      await notifyEach(
        { state, ...row },
        { state: word === 'failed' ? 'READY' : 'DEAD', reason: 'HTTP_400' },
      );

      const { body } = await list(`filter[state]=${word}`);

      expect(body.data).toMatchObject([{ id: anEventId(1), state: word, reason }]);
      expect(body.data[0].meaning).toMatch(/^[A-Z].*\.$/);
    },
  );

  test('GRANT-2 V2-7 shows only transactions that the partner may read now, by current owner and current grants', async () => {
    const { listed, notifyEach, changePartner } = await aWorld();
    await notifyEach({}, { uuid: uuidOf(2), state: 'ACCEPTED' }, { uuid: uuidOf(4) });

    expect(await listed()).toEqual([anEventId(1)]);
    await changePartner({ grants: [{ group: 'group-b' }] });
    expect(await listed()).toEqual([anEventId(2)]);
  });

  test('DEL-1 V2-7 of a deleted transaction only the deletion event is shown', async () => {
    const { get, listed, notifyEach } = await aWorld();
    await notifyEach(
      { uuid: uuidOf(3), from: 1, to: 4, state: 'ACCEPTED' },
      { uuid: uuidOf(3), from: 4, to: 5, state: 'ACCEPTED' },
    );

    expect(await listed()).toEqual([anEventId(2)]);
    expect((await get(`/api/v2/event/${anEventId(1)}`)).status).toBe(404);
    expect((await get(`/api/v2/event/${anEventId(2)}`)).status).toBe(200);
  });

  test('DR-10 S-03 V2-7 has no completion that a restore took back, and no row of another partner', async () => {
    const { listed, notifyEach } = await aWorld();
    await notifyEach(
      { type: 'TransactionCompleted', state: 'SUPPRESSED', reason: 'UNDONE' },
      { clientId: 'OTHER' },
    );

    expect(await listed()).toEqual([]);
    expect(await listed(`filter[transaction]=${uuidOf(1)}`)).toEqual([]);
  });

  test('FLT-1 V2-7 type, transaction and time filter together', async () => {
    const other = aNewTransaction({ uuid: uuidOf(5) }, { version: 9 });
    const { listed, notifyEach } = await aWorld({ transactions: [mine, other] });
    await notifyEach(
      { claimedAtMs: noon - 2 * minute },
      { claimedAtMs: noon - minute },
      { claimedAtMs: noon - minute, type: 'TransactionCompleted' },
      { claimedAtMs: noon, uuid: uuidOf(5) },
    );
    const since = 'filter[since]=2026-03-01T11:59:00Z';

    expect(await listed('filter[type]=TransactionCompleted')).toEqual([anEventId(3)]);
    expect(await listed(`filter[transaction]=${uuidOf(5)}`)).toEqual([anEventId(4)]);
    expect(await listed(since)).toEqual([anEventId(4), anEventId(3), anEventId(2)]);
    expect(await listed(`${since}&filter[transaction]=${uuidOf(1)}&filter[type]=TransactionUpdated`)).toEqual(
      [anEventId(2)],
    );
  });

  test('GRANT-3 V2-7 no event of a transaction outside of the grants is read, so that the cost shows nothing', async () => {
    const { deliveryLog } = await aWorld();
    const deliveryPage = () => Promise.reject(new Error('read'));
    const { list } = await aWorld({ deliveryLog: { ...deliveryLog, deliveryPage } });

    expect((await list(`filter[transaction]=${uuidOf(2)}`)).body.data).toEqual([]);
  });

  test('FLT-2 V2-7 the response names every fault of a query at once', async () => {
    const { list } = await aWorld();

    const { status, body } = await list(
      'filter[type]=Updated&filter[state]=&filter[since]=yesterday&filter[uuid]=x' +
        '&filter[transaction]=a&filter[transaction]=b&after=none',
    );

    const types = 'TransactionUpdated, TransactionCompleted or WebhookTest';
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      { field: 'filter[type]', message: `The filter must be ${types}.` },
      { field: 'filter[state]', message: 'The filter must not be empty.' },
      { field: 'filter[since]', message: 'The filter must be a time in UTC such as 2026-11-22T12:00:00Z.' },
      { field: 'filter[uuid]', message: 'The filter is unknown.' },
      { field: 'filter[transaction]', message: 'The filter may be given only once.' },
      { field: 'after', message: 'The cursor is invalid, or belongs to another filter. Begin without it.' },
    ]);
  });

  test.each([
    ['0000-01-01T00:00:00Z', 200],
    ['0477-08-05T19:56:03.903336Z', 200],
    ['9999-12-31T23:59:59Z', 200],
    ['2026-02-30T12:00:00Z', 422],
    ['2026-03-01', 422],
    ['2026-03-01T12:00:00%2B00:00', 200],
    ['2026-03-01T12:00:00.123456789%2B00:00', 200],
    ['2026-03-01T12:00:00.1234567890%2B00:00', 422],
    ['2026-03-01T12:00:00%2B01:00', 422],
    ['2026-03-01T12:00:00-00:00', 422],
    ['2026-03-01T12:00:00%2B0000', 422],
    ['2026-03-01T12:00:00', 422],
    ['2026-02-30T12:00:00%2B00:00', 422],
    ['1772366400', 422],
    ['2026-03-01T12:00:00.1234567890Z', 422],
  ])('FLT-2 S-33 V2-7 since %s is answered with %d', async (since, expected) => {
    const { list } = await aWorld();

    expect((await list(`filter[since]=${since}`)).status).toBe(expected);
  });

  test('FLT-2 QS-1 V2-7 a plus sign that is not encoded is a space, and the answer says so', async () => {
    const { list } = await aWorld();

    const { status, body } = await list('filter[since]=2026-03-01T12:00:00+00:00');

    const message =
      'The filter must be a time in UTC such as 2026-11-22T12:00:00Z. A + in a query is a space; write it as %2B.';
    expect([status, body.errors]).toEqual([422, [{ field: 'filter[since]', message }]]);
  });

  test('FLT-2 V2-7 a time with a space for its T is refused without a word about plus signs', async () => {
    const { list } = await aWorld();

    const { status, body } = await list('filter[since]=2026-03-01%2012:00:00');

    const message = 'The filter must be a time in UTC such as 2026-11-22T12:00:00Z.';
    expect([status, body.errors]).toEqual([422, [{ field: 'filter[since]', message }]]);
  });

  test.each([
    '2026-03-01T12:00:00Z',
    '2026-03-01T12:00:00.000999Z',
    '2026-03-01T12:00:00.000000001Z',
    '2026-03-01T12:00:00%2B00:00',
    '2026-03-01T12:00:00.000999%2B00:00',
  ])('V2-7 since %s includes its millisecond', async (since) => {
    const { listed, notifyEach } = await aWorld();
    await notifyEach({ claimedAtMs: noon - 1 }, { claimedAtMs: noon });

    expect(await listed(`filter[since]=${since}`)).toEqual([anEventId(2)]);
  });

  test('V2-7 goes back 30 days at most', async () => {
    const { listed, notifyEach } = await aWorld();
    await notifyEach(
      { claimedAtMs: noon - 30 * day, state: 'ACCEPTED' },
      { claimedAtMs: noon - 30 * day - 1, state: 'ACCEPTED' },
    );

    expect(await listed('filter[since]=2020-01-01T00:00:00Z')).toEqual([anEventId(1)]);
  });
});

describe('V2-7 the pages of events', () => {
  /** Pages until there is no next. */
  const walk = async (get: Awaited<ReturnType<typeof aWorld>>['get'], first: string) => {
    const pages: string[][] = [];
    for (let target: string | undefined = first; target !== undefined; ) {
      const { body } = await get(target);
      pages.push(idsOf(body));
      target = body._links.next && pathOf(body._links.next.href);
    }
    return pages;
  };

  test('V2-7 LINK-5 neither repeat nor skip events, newest first, even when new events arrive', async () => {
    const { get, list, notify } = await aWorld();
    for (let n = 1; n <= 5; n += 1)
      await notify({ eventId: anEventId(n), claimedAtMs: noon - minute * (n % 3) });

    expect(await walk(get, '/api/v2/event?per-page=2')).toEqual([
      [anEventId(3), anEventId(4)],
      [anEventId(1), anEventId(5)],
      [anEventId(2)],
    ]);
    const { body } = await list('per-page=2');
    await notify({ eventId: anEventId(6), claimedAtMs: noon });
    expect(idsOf((await get(pathOf(body._links.next.href))).body)).toEqual([anEventId(1), anEventId(5)]);
  });

  test('V2-7 a page without visible events has a cursor after 200 rows', async () => {
    let looked = 0;
    const { get, notify, deliveryLog } = await aWorld();
    for (let n = 1; n <= 201; n += 1)
      await notify({ eventId: anEventId(n), uuid: uuidOf(2), claimedAtMs: noon - n, state: 'ACCEPTED' });
    await notify({ eventId: anEventId(202), claimedAtMs: noon - 202 });
    const deliveryPage: typeof deliveryLog.deliveryPage = (asked) => {
      looked += asked.limit;
      return deliveryLog.deliveryPage(asked);
    };
    const counted = await aWorld({ deliveryLog: { ...deliveryLog, deliveryPage } });

    expect(await counted.listed()).toEqual([]);
    expect(looked).toBe(200);
    expect(await walk(get, '/api/v2/event')).toEqual([[], [anEventId(202)]]);
  });

  test('V2-7 a cursor of another filter or partner is refused, and one made under other grants works', async () => {
    const other = aPartner({ clientId: 'BCDEFGHIJKLMNOPQRSTUVWXYZA', name: 'Other' });
    const { get, list, notifyEach, changePartner } = await aWorld({ partners: [aPartner(), other] });
    await notifyEach({}, {}, {});
    const { body } = await list('per-page=1');
    const next = pathOf(body._links.next.href);

    expect((await get(`${next}&filter[type]=TransactionUpdated`)).status).toBe(422);
    const type = 'https://api.example/docs/problems#unfitting-cursor';
    const refusal = { status: 422, type, errors: [{ field: 'after' }] };
    expect((await get(next, { as: other.clientId })).body).toMatchObject(refusal);
    await changePartner({ grants: [{ group: 'group-a' }, { group: 'b' }] });
    expect((await get(next)).status).toBe(200);
  });

  test('FLT-4 have no numbers: a page is refused beside a filter that fits', async () => {
    const { list } = await aWorld();

    const { status, body } = await list('page=&page[]=2&filter[type]=WebhookTest');

    const message = 'This list has no page numbers. Follow next instead.';
    expect(status).toBe(422);
    expect(body.errors).toEqual(['page', 'page[]'].map((field) => ({ field, message })));
  });

  test('FLT-2 TH-04 V2-7 a name that only looks like a known one is refused: its filter or cursor would be ignored', async () => {
    const { list } = await aWorld();

    const { status, body } = await list(
      'filter[type]=x&%20filter[since]=2026-03-01T12:00:00Z&amp;after=x&page[%20]=',
    );

    expect(status).toBe(422);
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'filter[type]',
      'page[ ]',
      ' filter[since]',
      'amp;after',
    ]);
  });

  test('V2-7 PAGE-2 have 10 events by default and 50 at most', async () => {
    const { listed, notify } = await aWorld();
    for (let n = 1; n <= 60; n += 1) await notify({ eventId: anEventId(n), claimedAtMs: noon - n });

    const pages = [await listed(), await listed('per-page=3'), await listed('per-page=99')];

    expect(pages.map(({ length }) => length)).toEqual([10, 3, 50]);
  });
});

describe('V2-8 one event', () => {
  const entry = (seconds: number, step: Delivery['timeline'][number]['step'], note?: string) => ({
    ...{ atMs: noon + seconds * 1000, step },
    ...(note !== undefined && { note }),
  });

  test('V2-8 I6 has its timeline, and its message byte for byte as the webhook’s body', async () => {
    const { get, notify } = await aWorld();
    const plain = '{"version":"0","detail":{"uuid":"u/ü","10":1,"2":2.50}}';
    const timeline = [
      entry(1, 'changed'),
      entry(2, 'claimed', 'OVERSIZE: customer left out'),
      entry(3, 'refused', 'InternalFailure'),
      entry(4, 'accepted'),
      entry(5, 'dead', 'EXHAUSTED: HTTP_503 after 185 retries'),
      entry(6, 'scheduled', 'for 3 events'),
    ];
    await notify(
      { eventId: anEventId(1), state: 'DEAD', reason: 'EXHAUSTED', timeline },
      { plain, tokens: '{"tokens":true}' },
    );

    const { status, text, body } = await get(`/api/v2/event/${anEventId(1)}`);

    expect(status).toBe(200);
    expect(text.endsWith(`,"message":${plain}}`)).toBe(true);
    expect(body).toMatchObject({ id: anEventId(1), state: 'failed', reason: 'EXHAUSTED' });
    expect(body.timeline).toEqual([
      { at: '2026-03-01T12:00:01.000Z', step: 'changed', note: null },
      { at: '2026-03-01T12:00:02.000Z', step: 'created', note: 'OVERSIZE: customer left out' },
      { at: '2026-03-01T12:00:04.000Z', step: 'sent', note: null },
      { at: '2026-03-01T12:00:05.000Z', step: 'failed', note: 'EXHAUSTED: HTTP_503 after 185 retries' },
      { at: '2026-03-01T12:00:06.000Z', step: 'scheduled', note: null },
    ]);
  });

  test('V2-8 shows no code of the bus in a failure', async () => {
    const { get, notify } = await aWorld();
    const recorded = [
      ['ThrottlingException', 'OTHER'],
      ['EXHAUSTED: SDK_CLIENT_ERROR after 185 retries', 'EXHAUSTED: OTHER after 185 retries'],
      ['EXHAUSTED: TIMEOUT after 185 retries', 'EXHAUSTED: TIMEOUT after 185 retries'],
      ['HTTP_404', 'HTTP_404'],
    ] as const;
    const timeline = recorded.map(([note]) => entry(0, 'dead', note));
    await notify({ eventId: anEventId(1), state: 'DEAD', timeline });

    const { body } = await get(`/api/v2/event/${anEventId(1)}`);

    expect(body.timeline.map(({ note }: { note: string }) => note)).toEqual(
      recorded.map(([, shown]) => shown),
    );
  });

  test('SHOW-1 V2-8 shows payment tokens to a partner whose current record allows it', async () => {
    const { get, notify, changePartner } = await aWorld();
    await notify({ eventId: anEventId(1) }, { plain: '"plain"', tokens: '"tokens"' });
    await notify({ eventId: anEventId(2) }, { plain: '"same"' });
    const messages = async () =>
      Promise.all([1, 2].map(async (n) => (await get(`/api/v2/event/${anEventId(n)}`)).body.message));

    expect(await messages()).toEqual(['plain', 'same']);
    await changePartner({ showsPaymentTokens: true });
    expect(await messages()).toEqual(['tokens', 'same']);
  });

  test('GRANT-2 S-03 V2-8 unknown, malformed, of others, and of what may not be read are the same 404', async () => {
    const { get, notifyEach } = await aWorld();
    await notifyEach({ uuid: uuidOf(2) }, { clientId: 'OTHER' });
    const [unknown] = [await get(`/api/v2/event/${anEventId(3)}`)];

    for (const id of [anEventId(1), anEventId(2), 'x', '%00', 'A'.repeat(3000)]) {
      const { status, body } = await get(`/api/v2/event/${id}`);
      expect([status, { ...body, instance: '' }]).toEqual([404, { ...unknown.body, instance: '' }]);
    }
  });
});

test('V2-7 S-08 needs nop2/read, and answers GET and HEAD only', async () => {
  const { list, ask } = await aWorld();

  expect((await list('', `write.${aPartner().clientId}`)).status).toBe(403);
  const { status, headers } = await ask(`/api/v2/event/${anEventId(1)}`, { method: 'DELETE' });
  expect([status, headers.Allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test.each([
  ['/api/v2/partner', 200],
  ['/api/v2/partner/', 200],
  ['/v2/event', 200],
  ['/api/v2/event/', 200],
  ['/api/v2/partner/other', 404],
  ['/api/v2/events', 404],
  ['/API/V2/EVENT', 404],
  [`/api/v2/event/${anEventId(1)}/x`, 404],
])('S-12 VERB-1 GET %s is %d, and HEAD the same without a body', async (path, expected) => {
  const { get } = await aWorld();

  const { status, headers } = await get(path);
  const head = await get(path, { method: 'HEAD' });

  expect(status).toBe(expected);
  expect(head).toEqual({ status, headers, body: undefined, text: '' });
});
