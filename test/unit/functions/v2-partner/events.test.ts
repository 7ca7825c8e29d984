import { describe, expect, test } from '@jest/globals';
import { aV2Partner } from '../../../support/apis/v2-partner.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../../support/builders/transactions.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const minute = 60_000;
const day = 24 * 60 * minute;
const idOf = (n: number) => `00000000-0000-5000-8000-${String(n).padStart(12, '0')}`;
const mine = aNewTransaction({ uuid: uuidOf(1) }, { version: 9 });
const foreign = aNewTransaction({ uuid: uuidOf(2), ndMeta: anOwner({ group: 'group-b' }) }, { version: 9 });
/** Deleted by its version 5. */
const deleted = aNewTransaction({ uuid: uuidOf(3), isDeleted: 1 }, { version: 5 });

const aWorld = (more: Parameters<typeof aV2Partner>[0] = {}) =>
  aV2Partner({ transactions: [mine, foreign, deleted], ...more });

const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);
const pathOf = (href: string) => href.replace('https://api.example', '');

describe('V2-7 a list of events', () => {
  test('V2-7 S-66 shows each event and its state, and nothing internal', async () => {
    const { get, notify } = await aWorld();
    await notify({
      ...{ eventId: idOf(1), from: 2, to: 4, claimedAtMs: noon - minute, state: 'DEAD', reason: 'HTTP_404' },
      ...{
        dueAtMs: noon + minute,
        refusals: 1,
        failures: 2,
        redrives: 3,
        busEventId: 'bus-1',
        isStandalone: true,
      },
    });

    const { status, headers, text } = await get('/api/v2/event');

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

  test.each([
    ['waiting', { state: 'READY' }],
    ['held', { state: 'HELD' }],
    ['sent', { state: 'ACCEPTED' }],
    ['delivered', { state: 'DELIVERED' }],
    ['retrying', { state: 'DEAD', reason: 'DNS', dueAtMs: noon }],
    ['failed', { state: 'DEAD', reason: 'HTTP_400' }],
    ['withheld', { state: 'SUPPRESSED', reason: 'COALESCED' }],
  ] as const)('V2-7 shows %s, and filters by it', async (state, row) => {
    const { get, notify } = await aWorld();
    await notify({ eventId: idOf(1), ...row });
    await notify({ eventId: idOf(2), state: state === 'failed' ? 'READY' : 'DEAD', reason: 'HTTP_400' });

    const { body } = await get(`/api/v2/event?filter[state]=${state}`);

    expect(body.data).toMatchObject([{ id: idOf(1), state }]);
    expect(body.data[0].meaning).toMatch(/^[A-Z].*\.$/);
  });

  test('V2-7 a reason that only concerns the bus is shown as OTHER', async () => {
    const { get, notify } = await aWorld();
    await notify({ eventId: idOf(1), state: 'DEAD', reason: 'REFUSED_BY_BUS' });

    const { body } = await get('/api/v2/event');

    expect(body.data[0]).toMatchObject({ state: 'failed', reason: 'OTHER' });
  });

  test('GRANT-2 V2-7 shows only transactions that the partner may read now, by current owner and current grants', async () => {
    const { get, notify, partners } = await aWorld();
    await notify({ eventId: idOf(1) });
    await notify({ eventId: idOf(2), uuid: uuidOf(2), state: 'ACCEPTED' });
    await notify({ eventId: idOf(4), uuid: uuidOf(4) });

    expect(idsOf((await get('/api/v2/event')).body)).toEqual([idOf(1)]);
    const before = aPartner();
    await partners.update({ before, after: { ...before, grants: [{ group: 'group-b' }] } });
    expect(idsOf((await get('/api/v2/event')).body)).toEqual([idOf(2)]);
  });

  test('DEL-1 V2-7 of a deleted transaction only the deletion event is shown', async () => {
    const { get, notify } = await aWorld();
    await notify({ eventId: idOf(1), uuid: uuidOf(3), from: 1, to: 4, state: 'ACCEPTED' });
    await notify({ eventId: idOf(2), uuid: uuidOf(3), from: 4, to: 5, state: 'ACCEPTED' });

    const { body } = await get('/api/v2/event');

    expect(idsOf(body)).toEqual([idOf(2)]);
    expect((await get(`/api/v2/event/${idOf(1)}`)).status).toBe(404);
    expect((await get(`/api/v2/event/${idOf(2)}`)).status).toBe(200);
  });

  test('DR-10 V2-7 a completion that a restore undid is not shown', async () => {
    const { get, notify } = await aWorld();
    await notify({ eventId: idOf(1), type: 'TransactionCompleted', state: 'SUPPRESSED', reason: 'UNDONE' });

    expect((await get('/api/v2/event')).body.data).toEqual([]);
  });

  test('S-03 V2-7 shows no events of other partners', async () => {
    const { get, notify } = await aWorld();
    await notify({ eventId: idOf(1), clientId: 'OTHER' });

    expect((await get('/api/v2/event')).body.data).toEqual([]);
    expect((await get(`/api/v2/event?filter[transaction]=${uuidOf(1)}`)).body.data).toEqual([]);
    expect((await get(`/api/v2/event/${idOf(1)}`)).status).toBe(404);
  });

  test('FLT-1 V2-7 type, transaction and time filter together', async () => {
    const { get, notify } = await aV2Partner({
      transactions: [mine, aNewTransaction({ uuid: uuidOf(5) }, { version: 9 })],
    });
    await notify({ eventId: idOf(1), claimedAtMs: noon - 2 * minute });
    await notify({ eventId: idOf(2), claimedAtMs: noon - minute });
    await notify({ eventId: idOf(3), claimedAtMs: noon - minute, type: 'TransactionCompleted' });
    await notify({ eventId: idOf(4), claimedAtMs: noon, uuid: uuidOf(5) });

    const of = async (query: string) => idsOf((await get(`/api/v2/event?${query}`)).body);

    expect(await of('filter[type]=TransactionCompleted')).toEqual([idOf(3)]);
    expect(await of(`filter[transaction]=${uuidOf(5)}`)).toEqual([idOf(4)]);
    expect(await of('filter[since]=2026-03-01T11:59:00Z')).toEqual([idOf(4), idOf(3), idOf(2)]);
    expect(
      await of(
        `filter[since]=2026-03-01T11:59:00.000Z&filter[transaction]=${uuidOf(1)}&filter[type]=TransactionUpdated`,
      ),
    ).toEqual([idOf(2)]);
  });

  test('GRANT-3 V2-7 a transaction outside the grants gives the same empty list as an unknown one', async () => {
    const { get, notify } = await aWorld();
    await notify({ eventId: idOf(1), uuid: uuidOf(2) });

    const answers = await Promise.all(
      [uuidOf(2), uuidOf(7)].map((uuid) => get(`/api/v2/event?filter[transaction]=${uuid}`)),
    );

    expect(answers.map(({ body }) => body.data)).toEqual([[], []]);
    expect(answers[0]?.text).toBe(answers[1]?.text.replaceAll(uuidOf(7), uuidOf(2)));
  });

  test('FLT-2 V2-7 the response names every fault of a query at once', async () => {
    const { get } = await aWorld();

    const { status, body } = await get(
      '/api/v2/event?filter[type]=Updated&filter[state]=&filter[since]=yesterday&filter[uuid]=x' +
        '&filter[transaction]=a&filter[transaction]=b&after=none',
    );

    expect(status).toBe(422);
    expect(body.errors).toEqual([
      {
        field: 'filter[type]',
        message: 'The filter must be TransactionUpdated, TransactionCompleted or WebhookTest.',
      },
      { field: 'filter[state]', message: 'The filter must not be empty.' },
      {
        field: 'filter[since]',
        message: 'The filter must be a time in UTC such as 2026-11-22T12:00:00Z.',
      },
      { field: 'filter[uuid]', message: 'The filter is unknown.' },
      { field: 'filter[transaction]', message: 'The filter may be given only once.' },
      {
        field: 'after',
        message: 'The cursor is invalid, or belongs to another filter. Begin without it.',
      },
    ]);
  });

  test.each([
    ...['2026-02-30T12:00:00Z', '2026-03-01', '2026-03-01T12:00:00+01:00', '1772366400'],
    '2026-03-01T12:00:00.1234567890Z',
  ])('FLT-2 V2-7 %s is not a time', async (since) => {
    const { get } = await aWorld();

    expect((await get(`/api/v2/event?filter[since]=${encodeURIComponent(since)}`)).status).toBe(422);
  });

  test.each(['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000999Z', '2026-03-01T12:00:00.000000001Z'])(
    'V2-7 since %s includes its millisecond',
    async (since) => {
      const { get, notify } = await aWorld();
      await notify({ eventId: idOf(1), claimedAtMs: noon - 1 });
      await notify({ eventId: idOf(2), claimedAtMs: noon });

      expect(idsOf((await get(`/api/v2/event?filter[since]=${since}`)).body)).toEqual([idOf(2)]);
    },
  );

  test.each(['0000-01-01T00:00:00Z', '0477-08-05T19:56:03.903336Z', '9999-12-31T23:59:59Z'])(
    'S-33 V2-7 %s is accepted as a time',
    async (since) => {
      const { get } = await aWorld();

      expect((await get(`/api/v2/event?filter[since]=${since}`)).status).toBe(200);
    },
  );

  test('V2-7 goes back 30 days at most', async () => {
    const { get, notify } = await aWorld();
    await notify({ eventId: idOf(1), claimedAtMs: noon - 30 * day, state: 'ACCEPTED' });
    await notify({ eventId: idOf(2), claimedAtMs: noon - 30 * day - 1, state: 'ACCEPTED' });

    const { body } = await get('/api/v2/event?filter[since]=2020-01-01T00:00:00Z');

    expect(idsOf(body)).toEqual([idOf(1)]);
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
    const { get, notify } = await aWorld();
    for (let n = 1; n <= 5; n += 1) await notify({ eventId: idOf(n), claimedAtMs: noon - minute * (n % 3) });

    expect(await walk(get, '/api/v2/event?per-page=2')).toEqual([
      [idOf(3), idOf(4)],
      [idOf(1), idOf(5)],
      [idOf(2)],
    ]);
    const { body } = await get('/api/v2/event?per-page=2');
    await notify({ eventId: idOf(6), claimedAtMs: noon });
    expect(idsOf((await get(pathOf(body._links.next.href))).body)).toEqual([idOf(1), idOf(5)]);
  });

  test('V2-7 a page without visible events has a cursor after 200 rows', async () => {
    let looked = 0;
    const { get, notify, deliveryLog } = await aWorld();
    for (let n = 1; n <= 201; n += 1)
      await notify({ eventId: idOf(n), uuid: uuidOf(2), claimedAtMs: noon - n, state: 'ACCEPTED' });
    await notify({ eventId: idOf(202), claimedAtMs: noon - 202 });
    const counted = await aV2Partner({
      transactions: [mine, foreign],
      deliveryLog: {
        ...deliveryLog,
        deliveryPage: (asked) => {
          looked += asked.limit;
          return deliveryLog.deliveryPage(asked);
        },
      },
    });

    const first = await counted.get('/api/v2/event');

    expect(first.body.data).toEqual([]);
    expect(looked).toBe(200);
    expect(await walk(get, '/api/v2/event')).toEqual([[], [idOf(202)]]);
  });

  test('V2-7 a cursor of another filter or partner is refused, and one made under other grants works', async () => {
    const other = aPartner({ clientId: 'BCDEFGHIJKLMNOPQRSTUVWXYZA', name: 'Other' });
    const { get, notify, partners } = await aV2Partner({
      transactions: [mine],
      partners: [aPartner(), other],
    });
    for (let n = 1; n <= 3; n += 1) await notify({ eventId: idOf(n) });
    const { body } = await get('/api/v2/event?per-page=1');
    const next = pathOf(body._links.next.href);

    expect((await get(`${next}&filter[type]=TransactionUpdated`)).status).toBe(422);
    expect((await get(next, { as: other.clientId })).body).toMatchObject({
      ...{ status: 422, type: 'https://api.example/docs/problems#unfitting-cursor' },
      errors: [{ field: 'after' }],
    });
    const before = aPartner();
    await partners.update({ before, after: { ...before, grants: [...before.grants, { group: 'b' }] } });
    expect((await get(next)).status).toBe(200);
  });

  test.each(['page=2', 'page=', 'page[]=2', 'page=1&filter[type]=WebhookTest'])(
    'FLT-4 take no page numbers: %s is 422',
    async (query) => {
      const { get } = await aWorld();

      const { status, body } = await get(`/api/v2/event?${query}`);

      expect(status).toBe(422);
      expect(body.errors).toEqual([
        { field: query.split('=')[0], message: 'This list has no page numbers. Follow next instead.' },
      ]);
    },
  );

  test('V2-7 PAGE-2 have 10 events by default and 50 at most', async () => {
    const { get, notify } = await aWorld();
    for (let n = 1; n <= 60; n += 1) await notify({ eventId: idOf(n), claimedAtMs: noon - n });

    const sizes = await Promise.all(
      ['', '?per-page=3', '?per-page=99'].map(
        async (query) => (await get(`/api/v2/event${query}`)).body.data.length,
      ),
    );

    expect(sizes).toEqual([10, 3, 50]);
  });
});

describe('V2-8 one event', () => {
  test('V2-8 I6 has its timeline, and its message byte for byte as the webhook’s body', async () => {
    const { get, notify } = await aWorld();
    const plain = '{"version":"0","detail":{"uuid":"u/ü","10":1,"2":2.50}}';
    await notify(
      {
        eventId: idOf(1),
        state: 'DEAD',
        reason: 'EXHAUSTED',
        timeline: [
          { atMs: noon - 5000, step: 'changed' },
          { atMs: noon - 4000, step: 'claimed', note: 'OVERSIZE: customer left out' },
          { atMs: noon - 3500, step: 'refused', note: 'InternalFailure' },
          { atMs: noon - 3000, step: 'accepted' },
          { atMs: noon - 2000, step: 'dead', note: 'EXHAUSTED: HTTP_503 after 185 retries' },
          { atMs: noon - 1000, step: 'scheduled', note: 'for 3 events' },
        ],
      },
      { plain, tokens: '{"tokens":true}' },
    );

    const { status, text, body } = await get(`/api/v2/event/${idOf(1)}`);

    expect(status).toBe(200);
    expect(text.endsWith(`,"message":${plain}}`)).toBe(true);
    expect(body).toMatchObject({ id: idOf(1), state: 'failed', reason: 'EXHAUSTED' });
    expect(body.timeline).toEqual([
      { at: '2026-03-01T11:59:55.000Z', step: 'changed', note: null },
      { at: '2026-03-01T11:59:56.000Z', step: 'created', note: 'OVERSIZE: customer left out' },
      { at: '2026-03-01T11:59:57.000Z', step: 'sent', note: null },
      { at: '2026-03-01T11:59:58.000Z', step: 'failed', note: 'EXHAUSTED: HTTP_503 after 185 retries' },
      { at: '2026-03-01T11:59:59.000Z', step: 'scheduled', note: null },
    ]);
  });

  test.each([
    ['ThrottlingException', 'OTHER'],
    ['SDK_CLIENT_ERROR', 'OTHER'],
    ['EXHAUSTED: SDK_CLIENT_ERROR after 185 retries', 'EXHAUSTED: OTHER after 185 retries'],
    ['EXHAUSTED: TIMEOUT after 185 retries', 'EXHAUSTED: TIMEOUT after 185 retries'],
    ['HTTP_404', 'HTTP_404'],
  ])('V2-8 a failure recorded as %s is shown as %s, without codes of the bus', async (note, shown) => {
    const { get, notify } = await aWorld();
    await notify({ eventId: idOf(1), state: 'DEAD', timeline: [{ atMs: noon, step: 'dead', note }] });

    const { body } = await get(`/api/v2/event/${idOf(1)}`);

    expect(body.timeline).toEqual([{ at: '2026-03-01T12:00:00.000Z', step: 'failed', note: shown }]);
  });

  test('SHOW-1 V2-8 shows payment tokens to a partner whose current record allows it', async () => {
    const { get, notify, partners } = await aWorld();
    await notify({ eventId: idOf(1) }, { plain: '"plain"', tokens: '"tokens"' });
    await notify({ eventId: idOf(2) }, { plain: '"same"' });
    const messageOf = async (n: number) => (await get(`/api/v2/event/${idOf(n)}`)).body.message;

    expect([await messageOf(1), await messageOf(2)]).toEqual(['plain', 'same']);
    const before = aPartner();
    await partners.update({ before, after: { ...before, showsPaymentTokens: true } });
    expect([await messageOf(1), await messageOf(2)]).toEqual(['tokens', 'same']);
  });

  test('GRANT-2 V2-8 unknown, malformed, foreign and unreadable events are the same 404', async () => {
    const { get, notify } = await aWorld();
    await notify({ eventId: idOf(1), uuid: uuidOf(2) });
    await notify({ eventId: idOf(2), clientId: 'OTHER' });

    const answers = await Promise.all(
      [idOf(1), idOf(2), idOf(3), 'x', '%00', 'A'.repeat(3000)].map((id) => get(`/api/v2/event/${id}`)),
    );

    for (const { status, body } of answers)
      expect({ ...body, status, instance: '' }).toEqual({
        ...answers[2]?.body,
        ...{ status: 404, instance: '' },
      });
  });
});

test('V2-7 S-08 needs nop2/read, and answers GET and HEAD only', async () => {
  const { get, ask } = await aWorld();

  expect((await get('/api/v2/event', { as: `write.${aPartner().clientId}` })).status).toBe(403);
  const { status, headers } = await ask(`/api/v2/event/${idOf(1)}`, { method: 'DELETE' });
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
  [`/api/v2/event/${idOf(1)}/x`, 404],
])('S-12 VERB-1 GET %s is %d, and HEAD the same without a body', async (path, expected) => {
  const { get } = await aWorld();

  const { status, headers } = await get(path);
  const head = await get(path, { method: 'HEAD' });

  expect(status).toBe(expected);
  expect(head).toEqual({ status, headers, body: undefined, text: '' });
});
