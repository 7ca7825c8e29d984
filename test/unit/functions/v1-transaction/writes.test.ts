import { describe, expect, test } from '@jest/globals';
import { aStorefront, aV1, baseUrl, shop } from '../../../support/apis/v1-transaction.ts';

const address = '/api/transaction';
const json = { 'Content-Type': 'application/json' };
const sending = (method: string, body: unknown, headers: Record<string, string> = {}) => ({
  method,
  headers: { ...json, ...headers },
  body: JSON.stringify(body),
});

/** A session with one transaction of its own. */
const aCheckout = async (options: Parameters<typeof aV1>[0] = {}) => {
  const v1 = await aV1(options);
  const { body, token = '' } = await v1.ask(address, { headers: { Origin: shop } });
  const own = `${address}/${body.uuid}`;
  const write = (method: string, entered: unknown, headers: Record<string, string> = {}, path = own) =>
    v1.as(token, path, sending(method, entered, { Origin: shop, ...headers }));
  return { ...v1, uuid: body.uuid as string, token, own, write };
};

describe('V1-6 POST creates', () => {
  test('201 has Location, ETag and the token of a new session', async () => {
    const v1 = await aV1();

    const answer = await v1.ask(
      `${address}?expand=vehicle`,
      sending(
        'POST',
        { vehicle: { make: 'Ford' }, guestEmail: 'a@b.example', location: 'south' },
        { Origin: shop },
      ),
    );

    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ status: 0, guestEmail: 'a@b.example', vehicle: { make: 'Ford' } });
    expect(answer.headers).toMatchObject({
      Location: `${baseUrl}/transaction/${answer.body.uuid}`,
      ETag: expect.stringMatching(/^"1\./),
      'Cache-Control': 'no-store',
    });
    const session = await v1.tokens.verify(answer.token ?? '');
    expect(await v1.transactions.byUuid(answer.body.uuid)).toMatchObject({
      version: 1,
      notifyFromVersion: 1,
      session: session.ok && session.value.id,
      elementVersions: { vehicle: 1, ndMeta: 1, own: 1, customer: 0 },
      transaction: { ndMeta: { location: 'south' } },
    });
  });

  test('GET returns the new transaction as the newest of its session, and at its Location', async () => {
    const v1 = await aV1();
    const created = await v1.ask(address, sending('POST', { incentive: true }));
    const path = new URL(String(created.headers.Location)).pathname;

    const newest = await v1.as(created.token ?? '', address);
    const byAddress = await v1.as(created.token ?? '', path);

    expect(newest.body).toEqual(created.body);
    expect([byAddress.status, byAddress.body, byAddress.token]).toEqual([200, created.body, created.token]);
  });

  test('a session keeps its token for further creates', async () => {
    const { write, token, howMany } = await aCheckout();

    const answer = await write('POST', {}, {}, address);

    expect([answer.status, answer.token]).toEqual([201, token]);
    expect(await howMany()).toBe(2);
  });

  test('EV-10 V1-8 a POST without a body notifies nobody, like get-or-create', async () => {
    const v1 = await aV1();

    const { status, body } = await v1.ask(address, { method: 'POST' });

    expect(status).toBe(201);
    expect(await v1.transactions.byUuid(body.uuid)).toMatchObject({ version: 1, notifyFromVersion: 2 });
  });

  test('EV-10 TH-02 the first change that is more than a move notifies partners', async () => {
    const { write, transactions, uuid, own } = await aCheckout();
    const silent = async () => {
      const stored = await transactions.byUuid(uuid);
      return stored && [stored.version, stored.notifyFromVersion];
    };

    const steps = [await silent()];
    await write('PATCH', { location: 'south' });
    steps.push(await silent());
    await write('PUT', { location: 'north' });
    steps.push(await silent());
    await write('PATCH', { extras: { mats: 1 } });
    steps.push(await silent());
    await write('PATCH', { extras: null }, {}, own);
    steps.push(await silent());
    await write('PATCH', { location: 'south' });
    steps.push(await silent());

    expect(steps).toEqual([
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 4],
      [5, 4],
      [6, 4],
    ]);
  });

  test.each([
    [{ location: 'nowhere' }, 403],
    [{ location: 'stage' }, 403],
    [{ isDeleted: 1 }, 422],
    [{ uuid: 'x' }, 422],
    [{ vehicle: 'x' }, 422],
    [{ vehicle: { note: 'x'.repeat(99_800) } }, 413],
  ])('%j is refused, and creates neither transaction nor session', async (entered, expected) => {
    const v1 = await aV1();

    const answer = await v1.ask(address, sending('POST', entered, { Origin: shop }));

    expect([answer.status, answer.token]).toEqual([expected, undefined]);
    expect(await v1.howMany()).toBe(0);
  });

  test('an invalid token is 401 and creates nothing', async () => {
    const v1 = await aV1();

    const { status } = await v1.ask(address, sending('POST', {}, { Authorization: 'Bearer x' }));

    expect([status, await v1.howMany()]).toEqual([401, 0]);
  });

  test('WR-1 a session may repeat a create under its key; the replay has no token', async () => {
    const { write, howMany } = await aCheckout();
    const key = { 'Idempotency-Key': 'create-1' };

    const first = await write('POST', { incentive: true }, key, address);
    const again = await write('POST', { incentive: true }, key, '/transaction/');
    const other = await write('POST', { incentive: false }, key, address);

    expect([again.status, again.text, again.token]).toEqual([201, first.text, undefined]);
    expect(again.headers).toMatchObject({ 'Idempotency-Replayed': 'true', Location: first.headers.Location });
    expect(other.status).toBe(422);
    expect(await howMany()).toBe(2);
  });

  test('WR-1 V1-5 a repeat with a reissued token is the same request', async () => {
    const { as, write, time, own, howMany } = await aCheckout();
    const key = { 'Idempotency-Key': 'k' };
    time.now = new Date('2026-03-20T12:00:00Z');
    const created = await write('POST', { incentive: true }, key, address);
    const changed = await write('PATCH', { incentive: true }, key);
    const newer = changed.token ?? '';

    const again = [
      await as(newer, address, sending('POST', { incentive: true }, key)),
      await as(newer, own, sending('PATCH', { incentive: true }, key)),
    ];

    expect(newer).not.toBe('');
    expect(again.map(({ text }) => text)).toEqual([created.text, changed.text]);
    for (const { headers } of again) expect(headers['Idempotency-Replayed']).toBe('true');
    expect(await howMany()).toBe(2);
  });

  test('DEL-1 WR-1 the replay of a create is 404 after a deletion, and creates nothing', async () => {
    const { write, howMany } = await aCheckout();
    const key = { 'Idempotency-Key': 'create-1' };
    const first = await write('POST', { incentive: true }, key, address);
    await write('PATCH', { isDeleted: 1 }, {}, `${address}/${first.body.uuid}`);

    const again = await write('POST', { incentive: true }, key, address);
    const other = await write('POST', { incentive: false }, key, address);

    expect([again.status, other.status]).toEqual([404, 404]);
    expect(again.headers['Idempotency-Replayed']).toBeUndefined();
    expect(await howMany()).toBe(1);
  });

  test('GRANT-2 WR-1 a replay shows nothing that the session may no longer read', async () => {
    const { write, transactions, own } = await aCheckout();
    const asked = { guestEmail: 'a@b.example' };
    const created = await write('POST', asked, { 'Idempotency-Key': 'c' }, address);
    const changed = await write('PATCH', asked, { 'Idempotency-Key': 'p' });
    for (const { body } of [created, changed]) {
      const before = await transactions.byUuid(body.uuid);
      if (before) await transactions.replace(before, { ...before, session: 'another' });
    }

    const again = [
      await write('POST', asked, { 'Idempotency-Key': 'c' }, address),
      await write('PATCH', asked, { 'Idempotency-Key': 'p' }, own),
    ];

    expect([created.status, changed.status]).toEqual([201, 200]);
    expect(again.map(({ status }) => status)).toEqual([404, 404]);
  });

  test('DEL-1 WR-1 the replay of a change is 404 after a deletion', async () => {
    const { write } = await aCheckout();
    const key = { 'Idempotency-Key': 'k' };
    const first = await write('PATCH', { guestEmail: 'a@b.example' }, key);
    const put = await write('PUT', { guestEmail: 'a@b.example' }, key);
    await write('PATCH', { isDeleted: 1 });

    const again = [
      await write('PATCH', { guestEmail: 'a@b.example' }, key),
      await write('PUT', { guestEmail: 'a@b.example' }, key),
    ];

    expect([first.status, put.status]).toEqual([200, 200]);
    expect(again.map(({ status }) => status)).toEqual([404, 404]);
  });

  test('WR-1 two parallel creates under one key create one transaction', async () => {
    const { write, howMany } = await aCheckout();

    const answers = await Promise.all(
      [1, 2, 3].map(() => write('POST', { incentive: true }, { 'Idempotency-Key': 'k' }, address)),
    );

    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await howMany()).toBe(2);
  });

  test('WR-1 the key of an anonymous first call is ignored', async () => {
    const v1 = await aV1();

    const answers = await Promise.all(
      ['k', 'k', 'not a key'].map((key) => v1.ask(address, sending('POST', {}, { 'Idempotency-Key': key }))),
    );

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.uuid)).size).toBe(3);
    expect(new Set(answers.map(({ token }) => token)).size).toBe(3);
  });
});

describe('V1-6 PATCH and PUT', () => {
  test('PATCH merges, and the response has the session token', async () => {
    const { write, token, own } = await aCheckout();
    await write('PATCH', { customer: { firstName: 'A', lastName: 'B' } });

    const entered = { customer: { firstName: null, email: 'a@b.example' } };
    const answer = await write('PATCH', entered, {}, `${own}?expand=customer`);

    expect([answer.status, answer.token]).toEqual([200, token]);
    expect(answer.body.customer).toEqual({ lastName: 'B', email: 'a@b.example' });
  });

  test('a whole checkout, step by step', async () => {
    const { write, own } = await aCheckout();
    const expanded = `${own}?expand=vehicle,customer,deliveryCollection,financeProposal`;

    await write('PATCH', { vehicle: { make: 'Ford', identifiers: { ndstockid: 'ND1' } } });
    await write('PATCH', { customer: { firstName: 'A', lastName: 'B' } });
    await write('PUT', {
      deliveryCollection: { method: 'Home delivery', price: '99.00', preferred_date: '2026-04-01' },
    });
    await write('PATCH', { customer: { firstName: null }, financeProposal: { term: 48 } });
    const { status, body, headers } = await write('PUT', { customer: { lastName: 'C' } }, {}, expanded);

    expect(status).toBe(200);
    expect(headers.ETag).toMatch(/^"6\./);
    expect(body).toMatchObject({
      vehicle: { make: 'Ford', identifiers: { ndstockid: 'ND1' } },
      customer: { lastName: 'C' },
      deliveryCollection: { method: 'Home delivery', price: '99.00', preferred_date: '2026-04-01' },
      financeProposal: { term: 48 },
    });
  });

  test('without a token a write is 401, even for an existing uuid', async () => {
    const { ask, own } = await aCheckout();

    const answers = await Promise.all(['PATCH', 'PUT'].map((method) => ask(own, sending(method, {}))));

    expect(answers.map(({ status, token }) => [status, token])).toEqual([
      [401, undefined],
      [401, undefined],
    ]);
  });

  test('V1-2 S-09 uuids of another session, unknown, deleted and malformed ones are the same 404', async () => {
    const { write, given } = await aCheckout();
    await given('another', { uuid: '00000000-0000-4000-8000-000000000001-abcd' });
    await given('own', { uuid: '00000000-0000-4000-8000-000000000002-abcd', isDeleted: 1 });
    const uuids = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}-abcd`);

    const answers = await Promise.all(
      [...uuids, 'x', '%00'].map((uuid) => write('PATCH', { incentive: true }, {}, `${address}/${uuid}`)),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set(answers.map(({ body }) => JSON.stringify({ ...body, instance: '' }))).size).toBe(1);
  });

  test.each([{ incentive: true }, {}, { isDeleted: 1 }, { location: 'south' }])(
    'a complete transaction refuses %j with 409',
    async (entered) => {
      const v1 = await aV1();
      const uuid = '00000000-0000-4000-8000-000000000001-abcd';
      await v1.given('s1', { uuid, status: 1, editable: false });
      const token = await v1.tokens.issue('s1');

      const answer = await v1.as(token, `${address}/${uuid}`, sending('PATCH', entered, { Origin: shop }));

      expect([answer.status, answer.body.title]).toEqual([409, 'Conflict']);
      expect((await v1.transactions.byUuid(uuid))?.version).toBe(1);
    },
  );

  test('WR-2 a stale If-Match is 412, even for a complete transaction', async () => {
    const v1 = await aV1();
    const uuid = '00000000-0000-4000-8000-000000000001-abcd';
    await v1.given('s1', { uuid, status: 1 });
    const token = await v1.tokens.issue('s1');

    const { status } = await v1.as(
      token,
      `${address}/${uuid}`,
      sending('PATCH', {}, { 'If-Match': '"0.x"' }),
    );

    expect(status).toBe(412);
  });

  test('DEL-1 the session that owns a transaction deletes it, and reads it no more', async () => {
    const { write, as, own, token } = await aCheckout();

    expect((await write('PATCH', { isDeleted: 1 })).body.isDeleted).toBe(1);
    expect((await as(token, own)).status).toBe(404);
    expect((await write('PATCH', {})).status).toBe(404);
  });

  test('V1-1 EV-10 the first change raises the version above the one that notified nobody', async () => {
    const { write, transactions, uuid } = await aCheckout();

    await write('PATCH', { vehicle: { make: 'Ford' } });

    expect(await transactions.byUuid(uuid)).toMatchObject({
      version: 2,
      notifyFromVersion: 2,
      elementVersions: { vehicle: 2, own: 1 },
    });
  });
});

describe('OWN-1 moves of a session', () => {
  const registered = [
    aStorefront('F1', 'north'),
    aStorefront('F1', 'south', { createdAtMs: 1 }),
    aStorefront('F2', 'south', { createdAtMs: 2 }),
    aStorefront('F2', 'north', { createdAtMs: 3 }),
    aStorefront('F3', 'else', { origins: ['https://else.example'] }),
  ];
  test.each([
    [{ location: 'south', franchise: 'F2' }, shop, 200, 'F2 south'],
    [{ franchise: 'F2' }, shop, 200, 'F2 north'],
    [{ location: 'north' }, shop, 200, 'F1 north'],
    [{ location: 'south' }, shop, 422, 'F1 north'],
    [{ location: 'else' }, shop, 403, 'F1 north'],
    [{ location: 'south', franchise: 'F2' }, 'https://else.example', 403, 'F1 north'],
    [{ location: 'north' }, 'https://unknown.example', 200, 'F1 north'],
    [{ location: 'stage' }, 'https://unknown.example', 200, 'F9 stage'],
  ])('%j from %s', async (claim, origin, expected, place) => {
    const { write, transactions, uuid } = await aCheckout({ registered });

    const { status } = await write('PATCH', claim, { Origin: origin });

    const owner = (await transactions.byUuid(uuid))?.transaction.ndMeta;
    expect([status, `${owner?.franchise} ${owner?.location}`]).toEqual([expected, place]);
  });
});

describe('V1-2 GET by path', () => {
  test('by path as by parameter: own ones, and 404 without a token or for others', async () => {
    const { ask, as, own, token, uuid, tokens } = await aCheckout();

    const byPath = await as(token, `${own}?fields=uuid`);
    const answers = [
      await ask(own),
      await as(await tokens.issue('other'), own),
      await as(token, `${address}/x`),
    ];

    expect([byPath.status, byPath.body]).toEqual([200, { uuid }]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test.each([
    [address, 'GET, HEAD, POST, OPTIONS'],
    [`${address}/x`, 'GET, HEAD, PATCH, PUT, OPTIONS'],
  ])('VERB-1 OPTIONS %s', async (path, allow) => {
    const v1 = await aV1();

    const { status, headers } = await v1.ask(path, { method: 'OPTIONS' });

    expect([status, headers.Allow]).toEqual([204, allow]);
  });

  test.each([
    ['DELETE', `${address}/x`],
    ['POST', `${address}/x`],
    ['PATCH', address],
  ])('VERB-1 %s %s is 405 before the token is checked', async (method, path) => {
    const v1 = await aV1();

    const { status } = await v1.ask(path, sending(method, {}, { Authorization: 'Bearer x' }));

    expect(status).toBe(405);
  });
});

describe('V1-7 S-44 scripts of registered origins', () => {
  test('may read responses to writes, including refusals', async () => {
    const { write, own } = await aCheckout();

    const answers = [
      await write('PATCH', {}),
      await write('PATCH', { nope: 1 }),
      await write('POST', {}, {}, address),
      await write('PATCH', {}, { 'Content-Type': 'text/plain' }, own),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 422, 201, 415]);
    for (const { headers } of answers) expect(headers['Access-Control-Allow-Origin']).toBe(shop);
  });

  test('other origins may read nothing', async () => {
    const { write } = await aCheckout();

    const { headers } = await write('PATCH', {}, { Origin: 'https://evil.example' });

    expect(Object.keys(headers).filter((name) => name.startsWith('Access-Control'))).toEqual([]);
  });
});

type Asked = NonNullable<Parameters<Awaited<ReturnType<typeof aV1>>['ask']>[1]>;

describe('S-41 TH-02 requests that only look', () => {
  test.each<[string, number, Asked]>([
    ['HEAD', 200, { method: 'HEAD' }],
    ['a prefetch', 204, { headers: { 'Sec-Purpose': 'prefetch' } }],
    ['a prerender', 204, { headers: { 'Sec-Purpose': 'prefetch;prerender' } }],
    ['OPTIONS', 204, { method: 'OPTIONS' }],
    ['a create that names a uuid', 422, sending('POST', { uuid: 'x' })],
  ])('S-41 %s makes no transaction, from a shop’s page or from nowhere', async (_, status, asked) => {
    const v1 = await aV1();

    const statuses = [];
    for (const headers of [{}, { Origin: shop }]) {
      const answer = await v1.ask(address, { ...asked, headers: { ...asked.headers, ...headers } });
      statuses.push(answer.status);
    }

    expect(statuses).toEqual([status, status]);
    expect(await v1.howMany()).toBe(0);
  });

  test('S-41 a plain GET creates a transaction: throttle (S-40) and sweep (V1-8) limit it', async () => {
    const v1 = await aV1();

    await v1.ask(address);

    expect(await v1.howMany()).toBe(1);
  });
});
