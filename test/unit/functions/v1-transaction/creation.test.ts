import { describe, expect, test } from '@jest/globals';
import { aStorefront, aV1, shop } from '../../../support/apis/v1-transaction.ts';

const address = '/api/transaction';
const elsewhere = 'https://else.example';

/** What a browser says about a request, by who makes it. */
const fetchedBy = {
  'a script': { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' },
  'a script of the same origin': { 'Sec-Fetch-Mode': 'same-origin', 'Sec-Fetch-Dest': 'empty' },
  'a script that cannot read': { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'empty' },
  'an image': { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' },
  'an image with CORS': { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'image' },
  'a script element': { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' },
  'a link': { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-User': '?1' },
  'a frame': { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' },
  'something of tomorrow': { 'Sec-Fetch-Mode': 'tomorrow', 'Sec-Fetch-Dest': 'empty' },
} as const;
type Fetched = keyof typeof fetchedBy;

type Said = { by?: Fetched; site?: string; origin?: string };

const headersOf = ({ by, site, origin }: Said) => ({
  ...(by && fetchedBy[by]),
  ...(site && { 'Sec-Fetch-Site': site }),
  ...(origin && { Origin: origin }),
});

/** The status of GET and of POST, and how many transactions the two have made. */
const asked = async (said: Said, options: Parameters<typeof aV1>[0] = {}) => {
  const v1 = await aV1(options);
  const headers = headersOf(said);
  const { status: got } = await v1.ask(address, { headers });
  const { status: posted } = await v1.ask(address, { method: 'POST', headers });
  return [got, posted, await v1.howMany()];
};

const made = [200, 201, 2];
const refused = [403, 403, 0];

describe('S-41 TH-02 which callers get a new transaction', () => {
  test.each<[string, Said, number[]]>([
    ['a program, for the default of the stage', {}, made],
    ['a program that names a storefront’s origin', { origin: shop }, made],
    ['a program of Node, which names a mode alone', { by: 'a script', origin: shop }, made],
    ['the shop at another site', { by: 'a script', site: 'cross-site', origin: shop }, made],
    ['the shop at the same site', { by: 'a script', site: 'same-site', origin: shop }, made],
    ['a page on our own host', { by: 'a script', site: 'same-origin' }, made],
    ['a page on our own host', { by: 'a script of the same origin', site: 'same-origin' }, made],
    ['an unknown page of our site', { by: 'a script', site: 'same-site', origin: elsewhere }, made],
    ['an unknown page of another site', { by: 'a script', site: 'cross-site', origin: elsewhere }, refused],
    ['a sandboxed page', { by: 'a script', site: 'cross-site', origin: 'null' }, refused],
    ['another site without an origin', { by: 'a script', site: 'cross-site' }, refused],
    ['a script that cannot read', { by: 'a script that cannot read', site: 'cross-site' }, refused],
    [
      'a script of our own host that cannot read',
      { by: 'a script that cannot read', site: 'same-origin' },
      refused,
    ],
    ['an image of another site', { by: 'an image', site: 'cross-site' }, refused],
    ['an image of the shop', { by: 'an image', site: 'same-site', origin: shop }, refused],
    [
      'an image of the shop with CORS',
      { by: 'an image with CORS', site: 'cross-site', origin: shop },
      refused,
    ],
    ['a script element', { by: 'a script element', site: 'same-origin' }, refused],
    ['a link of another site', { by: 'a link', site: 'cross-site' }, refused],
    ['a form of the shop', { by: 'a link', site: 'cross-site', origin: shop }, refused],
    ['an address that was typed', { by: 'a link', site: 'none' }, refused],
    ['a frame', { by: 'a frame', site: 'same-origin' }, refused],
    ['a mode that is not known', { by: 'something of tomorrow', site: 'same-origin' }, refused],
    ['a site that is not known', { by: 'a script', site: 'next-door' }, refused],
    ['a site in capitals', { by: 'a script', site: 'CROSS-SITE' }, refused],
  ])('%s: %j', async (_, said, expected) => {
    expect(await asked(said)).toEqual(expected);
  });

  test('OWN-1 without a default storefront, an unregistered or absent origin creates nothing', async () => {
    const options = { hasStageDefault: false };
    expect(await asked({}, options)).toEqual(refused);
    expect(await asked({ origin: elsewhere }, options)).toEqual(refused);
    expect(await asked({ by: 'a script', site: 'same-origin' }, options)).toEqual(refused);
    expect(await asked({ origin: shop }, options)).toEqual(made);
  });

  test('a retired storefront counts as unregistered', async () => {
    const options = { registered: [aStorefront('F1', 'north', { retired: true })] };
    expect(await asked({ by: 'a script', site: 'cross-site', origin: shop }, options)).toEqual(refused);
  });

  test('the refusal names the missing storefront and has no token', async () => {
    const v1 = await aV1();
    const headers = headersOf({ by: 'an image', site: 'cross-site' });

    const answer = await v1.ask(address, { headers });

    expect([answer.status, answer.token]).toEqual([403, undefined]);
    expect(answer.body.detail).toBe(
      'A transaction is made for scripts of a registered storefront and for programs, not for links, images and other sites.',
    );
  });

  test('an existing session is served from any origin', async () => {
    const v1 = await aV1();
    const { body, token = '' } = await v1.ask(address);
    const headers = headersOf({ by: 'a script', site: 'cross-site', origin: elsewhere });

    const again = await v1.as(token, address, { headers });
    const posted = await v1.as(token, address, { method: 'POST', headers });

    expect([again.status, again.body, posted.status]).toEqual([200, body, 403]);
  });

  test.each([
    [{ 'Sec-Purpose': 'prefetch' }],
    [{ 'Sec-Purpose': 'prefetch;prerender' }],
    [{ 'Sec-Purpose': 'prefetch;anonymous-client-ip' }],
    [{ Purpose: 'prefetch' }],
    [{ 'X-Moz': 'prefetch' }],
    [{ 'x-moz': 'Prefetch' }],
  ])('V1-4 %j creates nothing, because no user asked for it', async (purpose) => {
    const v1 = await aV1();
    const headers = { Origin: shop, ...(purpose as Record<string, string>) };

    const got = await v1.ask(address, { headers });
    const posted = await v1.ask(address, { method: 'POST', headers });

    expect([got.status, got.token, posted.status, posted.token]).toEqual([204, undefined, 403, undefined]);
    expect(await v1.howMany()).toBe(0);
  });

  test('any other Purpose value is ignored', async () => {
    const v1 = await aV1();

    expect((await v1.ask(address, { headers: { 'Sec-Purpose': 'prefetching' } })).status).toBe(200);
  });
});

describe('S-41 a session has at most 20 transactions', () => {
  const full = {
    status: 409,
    body: {
      detail:
        'The session has reached its limit of 20 transactions. Use one of them, or send no token to begin a new session.',
    },
  };

  test('POST of a 21st is 409, and existing transactions stay usable', async () => {
    const v1 = await aV1();
    const { token = '', body } = await v1.ask(address);
    const posted = [];
    for (let count = 2; count <= 21; count += 1) posted.push(await v1.as(token, address, { method: 'POST' }));

    const got = await v1.as(token, address);
    const own = await v1.as(token, `${address}/${body.uuid}`);

    expect(posted.map(({ status }) => status)).toEqual([...Array(19).fill(201), 409]);
    expect(posted.at(-1)).toMatchObject(full);
    expect([got.status, own.status, await v1.howMany()]).toEqual([200, 200, 20]);
  });

  test('V1-1 GET starts a new session when a full session has no open transaction, even after a deletion', async () => {
    const v1 = await aV1();
    const { token = '', body } = await v1.ask(address);
    const uuids = [body.uuid];
    for (let count = 2; count <= 20; count += 1)
      uuids.push((await v1.as(token, address, { method: 'POST' })).body.uuid);
    for (const uuid of uuids)
      await v1.as(token, `${address}/${uuid}`, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json' },
        body: '{"isDeleted":1}',
      });

    const posted = await v1.as(token, address, { method: 'POST' });
    const head = await v1.as(token, address, { method: 'HEAD' });
    const got = await v1.as(token, address);
    const again = await v1.as(got.token ?? '', address);

    expect(posted).toMatchObject(full);
    expect([head.status, head.token]).toEqual([200, token]);
    expect([got.status, uuids.includes(got.body.uuid)]).toEqual([200, false]);
    const sessionOf = async (one = '') => {
      const session = await v1.tokens.verify(one);
      return session.ok ? session.value.id : undefined;
    };
    expect(await sessionOf(got.token)).not.toBe(await sessionOf(token));
    expect([again.body.uuid, again.token, await v1.howMany()]).toEqual([got.body.uuid, got.token, 1]);
    expect((await v1.as(token, `${address}?uuid=${got.body.uuid}`)).status).toBe(404);
  });

  test('the limit counts each session separately', async () => {
    const v1 = await aV1();
    const { token = '' } = await v1.ask(address);
    for (let count = 2; count <= 20; count += 1) await v1.as(token, address, { method: 'POST' });

    expect((await v1.ask(address, { method: 'POST' })).status).toBe(201);
  });
});

describe('S-79 new transactions of checkouts are logged for an alarm', () => {
  test('S-79 each new transaction logs one line, and nothing else does', async () => {
    const said: string[] = [];
    const v1 = await aV1({ log: (name: string) => said.push(name) });
    const isMade = async (ask: () => Promise<unknown>) => {
      const { length } = said;
      await ask();
      return said.slice(length).filter((name) => name === 'transactionCreated').length;
    };
    const { token = '', body } = await v1.ask(address);
    const given = { method: 'POST', headers: { 'Idempotency-Key': 'k-1' } };

    const made = [
      await isMade(() => v1.ask(address)),
      await isMade(() => v1.ask(address, { method: 'POST' })),
      await isMade(() => v1.as(token, address, given)),
      // A replay.
      await isMade(() => v1.as(token, address, given)),
      // The session's open transaction.
      await isMade(() => v1.as(token, address)),
      await isMade(() => v1.as(token, `${address}?uuid=${body.uuid}`)),
      await isMade(() => v1.ask(address, { method: 'HEAD' })),
    ];

    expect(made).toEqual([1, 1, 1, 0, 0, 0, 0]);
  });

  test('S-79 a GET that creates a session’s first transaction logs the line, too', async () => {
    const said: string[] = [];
    const v1 = await aV1({ log: (name: string) => said.push(name) });
    const token = await v1.tokens.issue('session-1');
    await v1.as(token, address);

    expect(said.filter((name) => name === 'transactionCreated')).toHaveLength(1);
  });

  test('S-79 a session at its limit logs no line', async () => {
    const said: string[] = [];
    const v1 = await aV1({ log: (name: string) => said.push(name) });
    const { token = '' } = await v1.ask(address);
    for (let count = 2; count <= 21; count += 1) await v1.as(token, address, { method: 'POST' });

    expect(said.filter((name) => name === 'transactionCreated')).toHaveLength(20);
  });
});
