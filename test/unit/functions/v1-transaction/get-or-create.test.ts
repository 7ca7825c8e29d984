import { describe, expect, test } from '@jest/globals';
import { refuse } from '../../../../functions/shared/domain/outcome.ts';
import { address, aStorefront, aV1, shop } from '../../../support/apis/v1-transaction.ts';
import { sending } from '../../../support/builders/http-event.ts';
import { uuidOf } from '../../../support/builders/transactions.ts';
import { createMemoryTransactions } from '../../../support/memory/transactions.ts';

const fromShop = { headers: { Origin: shop } };
const uuidShape =
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}-[0-9a-hjkmnp-tv-z]{4}$/;

describe('V1-1 the first call', () => {
  test('EV-10 S-24 creates a quiet transaction for a session of its own, and gives its token', async () => {
    const v1 = await aV1();

    const first = await v1.ask(address, fromShop);
    const second = await v1.ask(address, fromShop);

    expect(first.status).toBe(200);
    expect(first.headers).toMatchObject({
      'Content-Type': 'application/json; charset=UTF-8',
      'Cache-Control': 'no-store',
      Vary: 'Authorization, Origin',
      ETag: expect.stringMatching(/^"1\./),
      'Request-Id': 'request-1',
      'X-Content-Type-Options': 'nosniff',
    });
    expect(first.body).toMatchObject({ uuid: expect.stringMatching(uuidShape), status: 0, editable: true });
    const session = await v1.sessionOf(first.token);
    expect(session).toMatch(/^[A-Za-z0-9]{26}$/);
    expect(await v1.transactions.byUuid(first.body.uuid)).toMatchObject({
      version: 1,
      notifyFromVersion: 2,
      session,
      createdAtMs: v1.time.now.getTime(),
    });
    expect(await v1.sessionOf(second.token)).toMatch(/^[A-Za-z0-9]{26}$/);
    expect(await v1.sessionOf(second.token)).not.toBe(session);
    expect(second.body.uuid).not.toBe(first.body.uuid);
  });

  test('V1-4 expand and fields work as in lists; other parameters change nothing', async () => {
    const v1 = await aV1();
    const selection = 'expand=ndMeta,payments&fields=uuid,ndMeta.location';
    const { body, token = '' } = await v1.ask(`${address}?${selection}`, fromShop);

    const again = await v1.as(
      token,
      `${address}?${selection}&page=x&per-page=-1&__proto__=1&UUID=2&nope[a]=3`,
    );

    expect(body).toEqual({ uuid: body.uuid, ndMeta: { location: 'north' }, payments: [] });
    expect([again.status, again.body]).toEqual([200, body]);
  });
});

describe('V1-1 with a session', () => {
  test('V1-4 VERB-1 COND-1 the newest incomplete transaction comes back, and none is made', async () => {
    const v1 = await aV1();
    const created = await v1.ask(address);
    const { body, token = '' } = created;

    const again = await v1.as(token, address);
    const prefetched = await v1.as(token, address, { headers: { 'Sec-Purpose': 'prefetch' } });
    const head = await v1.as(token, address, { method: 'HEAD' });
    const unchanged = await v1.as(token, address, {
      headers: { 'If-None-Match': String(again.headers.ETag) },
    });

    expect(again).toMatchObject({ status: 200, body, token });
    expect(prefetched).toMatchObject({ status: 200, body, token });
    expect(head).toMatchObject({ status: 200, headers: again.headers, text: '' });
    expect(unchanged).toMatchObject({ status: 304, text: '', token });
    expect(await v1.howMany()).toBe(1);
  });

  test('of several incomplete ones the newest; a new one of the session when all are complete or deleted', async () => {
    const v1 = await aV1();
    const own = await v1.tokens.issue('s1');
    await v1.given('s1', { uuid: 'complete', status: 1 });
    await v1.given('s1', { uuid: 'deleted', isDeleted: 1 });
    await v1.given('s2', { uuid: 'of another session' });

    const made = await v1.as(own, address);
    expect([made.status, made.token]).toEqual([200, own]);
    expect(await v1.transactions.byUuid(made.body.uuid)).toMatchObject({
      session: 's1',
      notifyFromVersion: 2,
    });

    await v1.given('s1', { uuid: 'newest' });
    await v1.given('s1', { uuid: 'newer, but complete', status: 1 });
    expect((await v1.as(own, address)).body.uuid).toBe('newest');
  });

  test('V1-10 a signed-in user with a full session gets no anonymous session', async () => {
    const create = async () => refuse('session-full' as const);
    const v1 = await aV1({ transactions: { ...createMemoryTransactions(), create } });

    const { status } = await v1.as(await v1.tokens.issue('user-ada'), address);

    expect(status).toBe(409);
  });
});

describe('FLT-2 TH-04 a name that only looks like a known one is 422, and nothing is created', () => {
  test.each<[string, string[]]>([
    ['%20uuid=x', [' uuid']],
    ['uuid%E2%80%8B=x', ['uuid\u200b']],
    ['amp;location=south', ['amp;location']],
    ['location%0A=south&%22franchise%22=F1', ['location\n', '"franchise"']],
    ['%20filter[status]=0', [' filter[status]']],
    ['%EF%BB%BFexpand=vehicle&fields=uuid', ['\ufeffexpand']],
    ['fields%20[]=uuid', ['fields []']],
  ])('%s', async (query, fields) => {
    const v1 = await aV1();
    const own = await v1.tokens.issue('s1');
    const target = `${address}?${query}`;

    const answers = [
      await v1.ask(target),
      await v1.as(own, target),
      await v1.ask(target, { method: 'HEAD' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
    for (const { body } of answers.slice(0, 2))
      expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(fields);
    expect(await v1.howMany()).toBe(0);
  });

  test.each([
    ['a uuid without a token', 'uuid=x&%20uuid=y', 404],
    ['a filter without a token', 'filter[status]=0&%20filter=1', 401],
  ])('TH-01 ERR-3 V1-2 %s is refused before', async (_, query, expected) => {
    const v1 = await aV1();

    expect((await v1.ask(`${address}?${query}`)).status).toBe(expected);
  });

  test('in a list and a read of one, too, beside other faults', async () => {
    const v1 = await aV1();
    const own = await v1.tokens.issue('s1');
    await v1.given('s1', { uuid: uuidOf(1) });
    const fieldsAt = async (target: string) => {
      const { status, body } = await v1.as(own, target);
      return [status, body.errors.map(({ field }: { field: string }) => field)];
    };

    expect(await fieldsAt(`${address}?filter[nope]=0&%20location=south`)).toEqual([
      422,
      ['filter[nope]', ' location'],
    ]);
    expect(await fieldsAt(`${address}?uuid=${uuidOf(1)}&%20uuid=x`)).toEqual([422, [' uuid']]);
    expect(await fieldsAt(`${address}/${uuidOf(1)}?filter=&amp;fields=uuid`)).toEqual([
      422,
      ['filter', 'amp;fields'],
    ]);
  });
});

describe('V1-4 HEAD and prefetches that find nothing', () => {
  test.each([
    ['HEAD', 200, { method: 'HEAD' }],
    ['a prefetch', 204, { headers: { 'sec-purpose': 'prefetch' } }],
  ])('%s is %i without content, with the token of its session', async (_name, status, asked) => {
    const v1 = await aV1();
    const own = await v1.tokens.issue('s1');

    const headers = { 'Cache-Control': 'no-store' };
    expect(await v1.ask(address, asked)).toMatchObject({ status, text: '', token: undefined, headers });
    expect(await v1.as(own, address, asked)).toMatchObject({ status, text: '', token: own, headers });
    expect(await v1.howMany()).toBe(0);
  });

  test.each([
    ['HEAD', { method: 'HEAD' }],
    ['a prefetch', { headers: { 'Sec-Purpose': 'prefetch' } }],
  ])('%s is 403 where GET is', async (_name, asked) => {
    const v1 = await aV1({ hasStageDefault: false });

    expect((await v1.ask(address, asked)).status).toBe(403);
  });
});

describe('VERB-1 addresses and methods', () => {
  test.each(['/api/transaction/', '/transaction', '/transaction/'])(
    '%s is answered directly',
    async (path) => {
      const v1 = await aV1();

      expect(await v1.ask(path)).toMatchObject({ status: 200, token: expect.any(String) });
    },
  );

  const ofAll = 'GET, HEAD, POST, OPTIONS';
  const ofOne = 'GET, HEAD, PATCH, PUT, OPTIONS';
  test.each([
    ['OPTIONS', address, 204, ofAll],
    ['OPTIONS', `${address}/x`, 204, ofOne],
    ['PUT', address, 405, ofAll],
    ['PATCH', address, 405, ofAll],
    ['DELETE', address, 405, ofAll],
    ['TRACE', address, 405, ofAll],
    ['get', address, 405, ofAll],
    ['DELETE', `${address}/x`, 405, ofOne],
    ['POST', `${address}/x`, 405, ofOne],
    ['OPTIONS', '/session/', 204, 'POST, OPTIONS'],
    ['GET', '/api/session', 405, 'POST, OPTIONS'],
    ['HEAD', '/api/session', 405, 'POST, OPTIONS'],
    ['PUT', '/api/session', 405, 'POST, OPTIONS'],
  ])('ERR-3 %s %s is %i before the token is checked', async (method, path, status, allow) => {
    const v1 = await aV1();
    const headers = { Authorization: 'Bearer nonsense' };

    const answer = await v1.ask(`${path}?uuid=x`, { method, headers });

    expect(answer).toMatchObject({ status, token: undefined, headers: { Allow: allow } });
    expect(await v1.howMany()).toBe(0);
  });

  test.each([
    ['GET', '/api/transaction?uuid=a', ofAll],
    ['GET', '/transaction/', ofAll],
    ['POST', '/api/transaction', ofAll],
    ['OPTIONS', '/api/transaction', ofAll],
    ['GET', '/api/transaction/x', ofOne],
    ['PATCH', '/transaction/x', ofOne],
    ['PUT', '/api/transaction/x', ofOne],
    ['POST', '/api/session', 'POST, OPTIONS'],
    ['POST', '/session/', 'POST, OPTIONS'],
  ])('S-85 TH-10 %s %s with a method override is 405, and creates nothing', async (method, path, allow) => {
    const v1 = await aV1();

    for (const override of ['POST', 'GET', 'PATCH', '']) {
      const answer = await v1.ask(path, { method, headers: { 'x-http-method-OVERRIDE': override } });
      expect(answer).toMatchObject({
        ...{ status: 405, token: undefined, headers: { Allow: allow } },
        body: {
          type: expect.stringMatching(/#method-not-allowed$/),
          detail: 'X-HTTP-Method-Override is not accepted here. Send the method itself.',
        },
      });
    }
    expect(await v1.howMany()).toBe(0);
  });
});

describe('OWN-1 the owner of a new transaction', () => {
  const franchised = [
    aStorefront('F1', 'north'),
    aStorefront('F1', 'south', { createdAtMs: 1 }),
    aStorefront('F2', 'south', { createdAtMs: 2 }),
  ];
  const ownerOf = async (v1: Awaited<ReturnType<typeof aV1>>, query: string, origin?: string) => {
    const { status, body } = await v1.ask(`${address}?expand=ndMeta&${query}`, {
      headers: origin ? { Origin: origin } : {},
    });
    return status === 200 ? `${body.ndMeta.franchise} ${body.ndMeta.location}` : status;
  };

  test.each([
    ['the default of the origin', '', shop, 'F1 north'],
    ['an empty location is none', 'location=&franchise=', shop, 'F1 north'],
    ['the last of repeated locations', 'location=nowhere&location=north', shop, 'F1 north'],
    ['a location and its franchise', 'location=south&franchise=F2', shop, 'F2 south'],
    ['an unknown origin', '', 'https://else.example', 'F9 stage'],
  ])('%s', async (_name, query, origin, expected) => {
    const v1 = await aV1({ registered: franchised });

    expect(await ownerOf(v1, query, origin)).toBe(expected);
  });

  test('a refusal says why, and nothing is made', async () => {
    const v1 = await aV1({ registered: franchised, hasStageDefault: false });

    const unknown = await v1.ask(address, { headers: { Origin: 'https://else.example' } });
    const several = await v1.ask(`${address}?location=south`, fromShop);

    expect(unknown).toMatchObject({
      status: 403,
      token: undefined,
      body: { title: 'Forbidden', detail: 'No storefront for this origin and location is registered.' },
    });
    expect([several.status, several.body.errors]).toEqual([
      422,
      [{ field: 'franchise', message: 'The location has several franchises. Name one.' }],
    ]);
    expect(await v1.howMany()).toBe(0);
  });

  test('an existing transaction is returned to an origin without a storefront', async () => {
    const v1 = await aV1({ hasStageDefault: false });
    const { token = '' } = await v1.ask(address, fromShop);
    const headers = { Origin: 'https://else.example' };

    expect((await v1.as(token, `${address}?location=nowhere`, { headers })).status).toBe(200);
  });

  test('V1-7 a retired storefront owns nothing new, its pages read the answers while another one is open, and it can be opened again', async () => {
    const v1 = await aV1();
    const { body, token = '' } = await v1.ask(address, fromShop);
    await v1.storefronts.retire('F1 north');
    const ofOpen = await v1.as(token, address, fromShop);
    await v1.storefronts.retire('F1 south');

    const move = sending('PATCH', { location: 'stage' }, { Origin: shop });
    const answers = [
      await v1.ask(address, fromShop),
      await v1.ask(address, sending('POST', {}, { Origin: shop })),
      await v1.ask(address, { ...fromShop, method: 'OPTIONS' }),
      await v1.as(token, `${address}/${body.uuid}`, move),
    ];
    const made = await v1.howMany();
    await v1.storefronts.register(aStorefront('F1', 'north', { createdAtMs: 9 }));

    expect(ofOpen.headers['Access-Control-Allow-Origin']).toBe(shop);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 204, 403]);
    for (const { headers } of answers) expect(headers['Access-Control-Allow-Origin']).toBeUndefined();
    expect([made, await ownerOf(v1, '', shop)]).toEqual([1, 'F1 north']);
  });
});
