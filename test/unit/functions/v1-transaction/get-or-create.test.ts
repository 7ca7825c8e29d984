import { describe, expect, test } from '@jest/globals';
import { refuse } from '../../../../functions/shared/domain/outcome.ts';
import { aStorefront, aV1, shop } from '../../../support/apis/v1-transaction.ts';
import { createMemoryTransactions } from '../../../support/memory/transactions.ts';

const address = '/api/transaction';
const uuidShape =
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}-[0-9a-hjkmnp-tv-z]{4}$/;

describe('V1-1 the first call', () => {
  test('creates a transaction in a new session and returns the session token', async () => {
    const v1 = await aV1();

    const answer = await v1.ask(address, { headers: { Origin: shop } });

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      uuid: expect.stringMatching(uuidShape),
      status: 0,
      editable: true,
      isDeleted: 0,
      priceAdjustment: { payment: false, priceRule: false },
      externalRedirect: 0,
      incentive: false,
      document_id: null,
      preselectedPaymentMethod: '',
      referrerUrl: '',
      guestEmail: null,
    });
    expect(answer.headers).toMatchObject({
      'Content-Type': 'application/json; charset=UTF-8',
      'Cache-Control': 'no-store',
      Vary: 'Authorization, Origin',
      ETag: expect.stringMatching(/^"1\./),
      'Request-Id': 'request-1',
      'X-Content-Type-Options': 'nosniff',
    });
    expect(await v1.tokens.verify(answer.token ?? '')).toMatchObject({ ok: true });
  });

  test('EV-10 stores version 1, of which no partner is notified, under the session of the token', async () => {
    const v1 = await aV1();

    const { body, token } = await v1.ask(address);

    const session = await v1.tokens.verify(token ?? '');
    expect(await v1.transactions.byUuid(body.uuid)).toMatchObject({
      version: 1,
      notifyFromVersion: 2,
      session: session.ok && session.value.id,
      createdAtMs: v1.time.now.getTime(),
    });
  });

  test('S-24 session ids are 26 letters and digits, and unique', async () => {
    const v1 = await aV1();

    const first = await v1.ask(address);
    const second = await v1.ask(address);

    const ids = await Promise.all([first, second].map(async ({ token }) => v1.tokens.verify(token ?? '')));
    const [one, other] = ids.map((id) => (id.ok ? id.value.id : ''));
    expect(one).toMatch(/^[A-Za-z0-9]{26}$/);
    expect(other).toMatch(/^[A-Za-z0-9]{26}$/);
    expect(one).not.toBe(other);
    expect(first.body.uuid).not.toBe(second.body.uuid);
  });

  test.each(['/api/transaction', '/api/transaction/', '/transaction', '/transaction/'])(
    'VERB-1 %s is answered without a redirect',
    async (path) => {
      const v1 = await aV1();

      const { status, token } = await v1.ask(path);

      expect(status).toBe(200);
      expect(token).toBeDefined();
    },
  );

  test.each(['expand=ndMeta&fields=uuid,ndMeta.location', 'expand=ndMeta,payments&fields=ndMeta.location'])(
    'V1-4 %s selects fields as in lists',
    async (query) => {
      const v1 = await aV1();

      const { body } = await v1.ask(`${address}?${query}`, { headers: { Origin: shop } });

      expect(body).toMatchObject({ ndMeta: { location: 'north' } });
      expect(Object.keys(body.ndMeta)).toEqual(['location']);
      expect(body.status).toBeUndefined();
    },
  );

  test('V1-4 unknown parameters, page and per-page do not change the response', async () => {
    const v1 = await aV1();
    const { body, token = '' } = await v1.ask(address);

    const again = await v1.as(token, `${address}?page=x&per-page=-1&__proto__=1&UUID=2&nope[a]=3`);

    expect([again.status, again.body]).toEqual([200, body]);
  });
});

describe('V1-1 with a session', () => {
  test('GET returns the newest incomplete transaction and creates none', async () => {
    const v1 = await aV1();
    const { body: created, token = '' } = await v1.ask(address);

    const again = await v1.as(token, address);

    expect(again.body).toEqual(created);
    expect(again.token).toBe(token);
    expect(await v1.howMany()).toBe(1);
  });

  test('of several incomplete transactions GET returns the newest, without complete and deleted ones', async () => {
    const v1 = await aV1();
    const token = await v1.tokens.issue('s1');
    await v1.given('s1', { uuid: 'first' });
    await v1.given('s1', { uuid: 'second' });
    await v1.given('s1', { uuid: 'complete', status: 1 });
    await v1.given('s1', { uuid: 'deleted', isDeleted: 1 });
    await v1.given('s2', { uuid: 'of another session' });

    const { body } = await v1.as(token, address);

    expect(body.uuid).toBe('second');
  });

  test('GET creates a transaction in the same session when all others are complete', async () => {
    const v1 = await aV1();
    const token = await v1.tokens.issue('s1');
    await v1.given('s1', { uuid: 'complete', status: 1 });

    const { status, body, token: returned } = await v1.as(token, address);

    expect(status).toBe(200);
    expect(body.uuid).toMatch(uuidShape);
    expect(returned).toBe(token);
    expect(await v1.transactions.byUuid(body.uuid)).toMatchObject({ session: 's1', notifyFromVersion: 2 });
  });

  test('an existing transaction is returned to an origin without a storefront', async () => {
    const v1 = await aV1({ hasStageDefault: false });
    const { token = '' } = await v1.ask(address, { headers: { Origin: shop } });

    const { status } = await v1.as(token, `${address}?location=nowhere`, {
      headers: { Origin: 'https://else.example' },
    });

    expect(status).toBe(200);
  });

  test('COND-1 an unchanged transaction is 304, with the session token', async () => {
    const v1 = await aV1();
    const { headers, token = '' } = await v1.ask(address);

    const again = await v1.as(token, address, { headers: { 'If-None-Match': String(headers.ETag) } });

    expect(again).toMatchObject({ status: 304, text: '', token });
  });
});

describe('V1-4 TH-02 requests that create nothing', () => {
  test('V1-10 a signed-in user with a full session gets no anonymous session', async () => {
    const transactions = createMemoryTransactions();
    const v1 = await aV1({
      transactions: { ...transactions, create: async () => refuse('session-full' as const) },
    });

    const answer = await v1.as(await v1.tokens.issue('user-ada'), address);

    expect(answer.status).toBe(409);
  });

  test('HEAD without a session is 200 without body and token', async () => {
    const v1 = await aV1();

    const answer = await v1.ask(address, { method: 'HEAD' });

    expect(answer).toMatchObject({ status: 200, text: '', token: undefined });
    expect(answer.headers['Cache-Control']).toBe('no-store');
    expect(await v1.howMany()).toBe(0);
  });

  test('HEAD with an empty session is 200 with its token', async () => {
    const v1 = await aV1();
    const mine = await v1.tokens.issue('s1');

    const answer = await v1.as(mine, address, { method: 'HEAD' });

    expect(answer).toMatchObject({ status: 200, text: '', token: mine });
    expect(await v1.howMany()).toBe(0);
  });

  test('VERB-1 HEAD of an existing transaction has the headers of GET and no body', async () => {
    const v1 = await aV1();
    const { token = '' } = await v1.ask(address);

    const get = await v1.as(token, address);
    const head = await v1.as(token, address, { method: 'HEAD' });

    expect(head.status).toBe(200);
    expect(head.headers).toEqual(get.headers);
    expect(head.text).toBe('');
  });

  test.each([
    ['HEAD', { method: 'HEAD' }],
    ['a prefetch', { headers: { 'Sec-Purpose': 'prefetch' } }],
  ])('%s is 403 where GET is', async (_name, asked) => {
    const v1 = await aV1({ hasStageDefault: false });

    expect((await v1.ask(address, asked)).status).toBe(403);
  });

  test.each(['prefetch', 'prefetch;prerender', 'Prefetch', 'prefetch;anonymous-client-ip'])(
    'Sec-Purpose: %s is 204',
    async (purpose) => {
      const v1 = await aV1();

      const answer = await v1.ask(address, { headers: { 'sec-purpose': purpose } });

      expect(answer).toMatchObject({ status: 204, text: '', token: undefined });
      expect(answer.headers['Cache-Control']).toBe('no-store');
      expect(await v1.howMany()).toBe(0);
    },
  );

  test('a prefetch of an existing transaction is answered', async () => {
    const v1 = await aV1();
    const { body, token = '' } = await v1.ask(address);

    const answer = await v1.as(token, address, { headers: { 'Sec-Purpose': 'prefetch' } });

    expect(answer).toMatchObject({ status: 200, body, token });
  });

  test('OPTIONS is 204 with Allow for every caller', async () => {
    const v1 = await aV1();

    const answer = await v1.ask(`${address}?uuid=x`, {
      method: 'OPTIONS',
      headers: { Authorization: 'Bearer nonsense' },
    });

    expect(answer).toMatchObject({ status: 204, text: '', token: undefined });
    expect(answer.headers.Allow).toBe('GET, HEAD, POST, OPTIONS');
    expect(await v1.howMany()).toBe(0);
  });

  test.each(['PUT', 'PATCH', 'DELETE', 'TRACE', 'get'])(
    'ERR-3 %s is 405 before the token is checked',
    async (method) => {
      const v1 = await aV1();

      const answer = await v1.ask(`${address}?uuid=x`, {
        method,
        headers: { Authorization: 'Bearer nonsense', 'X-HTTP-Method-Override': 'GET' },
      });

      expect(answer.status).toBe(405);
      expect(answer.headers.Allow).toBe('GET, HEAD, POST, OPTIONS');
      expect(answer.token).toBeUndefined();
      expect(await v1.howMany()).toBe(0);
    },
  );
});

describe('OWN-1 the owner of a new transaction', () => {
  const franchised = [
    aStorefront('F1', 'north'),
    aStorefront('F1', 'south', { createdAtMs: 1 }),
    aStorefront('F2', 'south', { createdAtMs: 2 }),
  ];
  const ownerOf = async (v1: Awaited<ReturnType<typeof aV1>>, query: string, origin?: string) => {
    const answer = await v1.ask(`${address}?expand=ndMeta&${query}`, {
      headers: origin ? { Origin: origin } : {},
    });
    return answer.status === 200
      ? `${answer.body.ndMeta.franchise} ${answer.body.ndMeta.location}`
      : answer.status;
  };

  test.each([
    ['the default of the origin', '', shop, 'F1 north'],
    ['an empty location is none', 'location=&franchise=', shop, 'F1 north'],
    ['a location of the origin', 'location=north', shop, 'F1 north'],
    ['the last of repeated locations', 'location=nowhere&location=north', shop, 'F1 north'],
    ['a location and its franchise', 'location=south&franchise=F2', shop, 'F2 south'],
    ['a location of several franchises', 'location=south', shop, 422],
    ['a location of another origin', 'location=stage', shop, 403],
    ['an unknown location', 'location=nowhere', shop, 403],
    ['the location in another letter case', 'location=North', shop, 403],
    ['a franchise that is not there', 'location=north&franchise=F2', shop, 403],
    ['no origin', '', undefined, 'F9 stage'],
    ['an unknown origin', '', 'https://else.example', 'F9 stage'],
    ['an origin in another letter case', '', 'https://SHOP.example', 'F9 stage'],
    ['an origin with its port', '', 'https://shop.example:443', 'F9 stage'],
    ['an origin longer than any', '', `https://${'a'.repeat(3000)}.example`, 'F9 stage'],
    ['the null origin', '', 'null', 'F9 stage'],
    ['a registered location without the origin', 'location=north', undefined, 403],
  ])('%s', async (_name, query, origin, expected) => {
    const v1 = await aV1({ registered: franchised });

    expect(await ownerOf(v1, query, origin)).toBe(expected);
  });

  test('an unknown origin is 403 without a default storefront, and nothing is created', async () => {
    const v1 = await aV1({ hasStageDefault: false });

    const answer = await v1.ask(address, { headers: { Origin: 'https://else.example' } });

    expect(answer).toMatchObject({
      status: 403,
      token: undefined,
      body: { title: 'Forbidden', detail: 'No storefront for this origin and location is registered.' },
    });
    expect(await v1.howMany()).toBe(0);
  });

  test('a location in several franchises is refused until the caller names one', async () => {
    const v1 = await aV1({ registered: franchised });

    const { body } = await v1.ask(`${address}?location=south`, { headers: { Origin: shop } });

    expect(body.errors).toEqual([
      { field: 'franchise', message: 'The location has several franchises. Name one.' },
    ]);
  });

  test('OWN-1 a retired storefront gets no new transactions: the open one of its origin does', async () => {
    const v1 = await aV1();
    await v1.storefronts.retire('F1 north');

    expect(await ownerOf(v1, '', shop)).toBe('F1 south');
  });

  test('OWN-1 an origin whose storefronts are all retired is 403, and never gets the default storefront', async () => {
    const v1 = await aV1();
    const { token = '' } = await v1.ask('/api/transaction', { headers: { Origin: shop } });
    const { uuid } = (await v1.as(token, '/api/transaction', { headers: { Origin: shop } })).body;
    await v1.storefronts.retire('F1 north');
    await v1.storefronts.retire('F1 south');

    const json = { Origin: shop, 'Content-Type': 'application/json' };
    const got = await v1.ask('/api/transaction', { headers: { Origin: shop } });
    const named = await v1.ask('/api/transaction?location=stage', { headers: { Origin: shop } });
    const posted = await v1.ask('/api/transaction', { method: 'POST', headers: json, body: '{}' });
    const moved = await v1.as(token, `/api/transaction/${uuid}`, {
      method: 'PATCH',
      headers: json,
      body: '{"location":"stage"}',
    });

    expect([got, named, posted].map(({ status }) => status)).toEqual([403, 403, 403]);
    expect([got, named, posted].map((answer) => answer.token)).toEqual([undefined, undefined, undefined]);
    expect(moved.status).toBe(403);
    expect(await v1.howMany()).toBe(1);
  });

  test('OWN-1 a storefront that is registered again for its origin gets its checkouts again', async () => {
    const v1 = await aV1({ registered: [aStorefront('F1', 'north')] });
    await v1.storefronts.retire('F1 north');

    await v1.storefronts.register(aStorefront('F1', 'north', { createdAtMs: 9 }));

    expect(await ownerOf(v1, '', shop)).toBe('F1 north');
  });

  test('two Origin headers count as none', async () => {
    const v1 = await aV1();

    const { body } = await v1.ask(`${address}?expand=ndMeta`, { headers: { Origin: [shop, shop] } });

    expect(body.ndMeta.location).toBe('stage');
  });
});
