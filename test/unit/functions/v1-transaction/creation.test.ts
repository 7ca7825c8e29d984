import { describe, expect, test } from '@jest/globals';
import { address, aV1, shop } from '../../../support/apis/v1-transaction.ts';
import { type Ask, sending } from '../../../support/builders/http-event.ts';

const elsewhere = 'https://else.example';

/** What a browser says about a request. It does not send what is empty. */
const headersOf = (mode: string, dest: string, site: string, origin: string): Record<string, string> => {
  const all = { 'Sec-Fetch-Mode': mode, 'Sec-Fetch-Dest': dest, 'Sec-Fetch-Site': site, Origin: origin };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
};

/** The status of GET and of POST, and how many transactions the two have made. */
const asked = async (headers: Record<string, string>, options: Parameters<typeof aV1>[0] = {}) => {
  const v1 = await aV1(options);
  const { status: got } = await v1.ask(address, { headers });
  const { status: posted } = await v1.ask(address, { method: 'POST', headers });
  return [got, posted, await v1.howMany()];
};

const made = [200, 201, 2];
const refused = [403, 403, 0];

describe('S-41 TH-02 which callers get a new transaction', () => {
  test.each([
    ['a program, for the default of the stage', '', '', '', '', made],
    ['a program that names a storefront’s origin', '', '', '', shop, made],
    ['a program of Node, which names a mode alone', 'cors', 'empty', '', shop, made],
    ['the shop at another site', 'cors', 'empty', 'cross-site', shop, made],
    ['the shop at the same site', 'cors', 'empty', 'same-site', shop, made],
    ['a page on our own host', 'cors', 'empty', 'same-origin', '', made],
    ['a page on our own host that asks its own origin', 'same-origin', 'empty', 'same-origin', '', made],
    ['an unknown page of our site', 'cors', 'empty', 'same-site', elsewhere, made],
    ['an unknown page of another site', 'cors', 'empty', 'cross-site', elsewhere, refused],
    ['a sandboxed page', 'cors', 'empty', 'cross-site', 'null', refused],
    ['another site without an origin', 'cors', 'empty', 'cross-site', '', refused],
    ['a script that cannot read', 'no-cors', 'empty', 'cross-site', '', refused],
    ['a script of our own host that cannot read', 'no-cors', 'empty', 'same-origin', '', refused],
    ['an image of another site', 'no-cors', 'image', 'cross-site', '', refused],
    ['an image of the shop', 'no-cors', 'image', 'same-site', shop, refused],
    ['an image of the shop with CORS', 'cors', 'image', 'cross-site', shop, refused],
    ['a script element', 'no-cors', 'script', 'same-origin', '', refused],
    ['a link of another site', 'navigate', 'document', 'cross-site', '', refused],
    ['a form of the shop', 'navigate', 'document', 'cross-site', shop, refused],
    ['an address that was typed', 'navigate', 'document', 'none', '', refused],
    ['a frame', 'navigate', 'iframe', 'same-origin', '', refused],
    ['a mode that is not known', 'tomorrow', 'empty', 'same-origin', '', refused],
    ['a site that is not known', 'cors', 'empty', 'next-door', '', refused],
    ['a page on our own host, in capitals', 'CORS', 'EMPTY', 'SAME-ORIGIN', '', made],
  ])('%s: %s %s %s %s', async (_, mode, dest, site, origin, expected) => {
    expect(await asked(headersOf(mode, dest, site, origin))).toEqual(expected);
  });

  test('OWN-1 without a default storefront, an unregistered or absent origin creates nothing', async () => {
    const options = { hasStageDefault: false };

    expect(await asked({}, options)).toEqual(refused);
    expect(await asked({ Origin: elsewhere }, options)).toEqual(refused);
    expect(await asked(headersOf('cors', 'empty', 'same-origin', ''), options)).toEqual(refused);
    expect(await asked({ Origin: shop }, options)).toEqual(made);
  });

  test('the refusal names the missing storefront and has no token', async () => {
    const v1 = await aV1();

    const answer = await v1.ask(address, { headers: headersOf('no-cors', 'image', 'cross-site', '') });

    expect([answer.status, answer.token]).toEqual([403, undefined]);
    expect(answer.body.detail).toBe(
      'A transaction is made for scripts of a registered storefront and for programs, not for links, images and other sites.',
    );
  });

  test('an existing session is served from any origin', async () => {
    const v1 = await aV1();
    const { body, token = '' } = await v1.ask(address);
    const headers = headersOf('cors', 'empty', 'cross-site', elsewhere);

    const again = await v1.as(token, address, { headers });
    const posted = await v1.as(token, address, { method: 'POST', headers });

    expect([again.status, again.body, posted.status]).toEqual([200, body, 403]);
  });
});

test.each<[string, number, Ask]>([
  ['HEAD', 200, { method: 'HEAD' }],
  ['OPTIONS', 204, { method: 'OPTIONS' }],
  ['a prefetch', 204, { headers: { 'Sec-Purpose': 'prefetch' } }],
  ['a prerender', 204, { headers: { 'Sec-Purpose': 'prefetch;prerender' } }],
  ['a prefetch through a proxy', 204, { headers: { 'sec-purpose': 'prefetch;anonymous-client-ip' } }],
  ['a prefetch of an older browser', 204, { headers: { Purpose: 'prefetch' } }],
  ['a prefetch of an older Firefox', 204, { headers: { 'x-moz': 'Prefetch' } }],
  ['POST ahead of a user', 403, { method: 'POST', headers: { 'Sec-Purpose': 'prefetch' } }],
  ['POST that names a uuid', 422, sending('POST', { uuid: 'x' })],
])('V1-4 S-41 TH-02 %s creates nothing, from a shop’s page or from nowhere', async (_, expected, ask) => {
  const v1 = await aV1();

  for (const headers of [{}, { Origin: shop }]) {
    const { status, token } = await v1.ask(address, { ...ask, headers: { ...ask.headers, ...headers } });
    expect([status, token]).toEqual([expected, undefined]);
  }

  expect(await v1.howMany()).toBe(0);
});

test('V1-4 a purpose of another name is none', async () => {
  const v1 = await aV1();

  expect((await v1.ask(address, { headers: { 'Sec-Purpose': 'prefetching' } })).status).toBe(200);
});

describe('S-41 a session has at most 20 transactions', () => {
  const full = {
    status: 409,
    body: {
      detail:
        'The session has reached its limit of 20 transactions. Use one of them, or send no token to begin a new session.',
    },
  };
  /** A session that has made its 20, and the names of the lines that were logged. */
  const aFullSession = async () => {
    const logged: string[] = [];
    const v1 = await aV1({ log: (name) => void logged.push(name) });
    const { token = '', body } = await v1.ask(address);
    const uuids: string[] = [body.uuid];
    for (let count = 2; count <= 20; count += 1)
      uuids.push((await v1.as(token, address, { method: 'POST' })).body.uuid);
    return { v1, token, uuids, logged };
  };

  test('S-79 the 21st by POST is 409 and no line of the log; what there is can still be used', async () => {
    const { v1, token, uuids, logged } = await aFullSession();

    const posted = await v1.as(token, address, { method: 'POST' });
    const got = await v1.as(token, address);
    const own = await v1.as(token, `${address}/${uuids[0]}`);
    const made = await v1.howMany();
    const ofAnother = await v1.ask(address, { method: 'POST' });

    expect(posted).toMatchObject(full);
    expect([got.status, own.status, made, ofAnother.status]).toEqual([200, 200, 20, 201]);
    expect(logged.filter((name) => name === 'transactionCreated')).toHaveLength(21);
  });

  test('V1-1 GET starts a new session when a full session has no open transaction, even after a deletion', async () => {
    const { v1, token, uuids } = await aFullSession();
    for (const uuid of uuids) await v1.as(token, `${address}/${uuid}`, sending('PATCH', { isDeleted: 1 }));

    const posted = await v1.as(token, address, { method: 'POST' });
    const head = await v1.as(token, address, { method: 'HEAD' });
    const got = await v1.as(token, address);
    const again = await v1.as(got.token ?? '', address);

    expect(posted).toMatchObject(full);
    expect([head.status, head.token]).toEqual([200, token]);
    expect([got.status, uuids.includes(got.body.uuid)]).toEqual([200, false]);
    expect(await v1.sessionOf(got.token)).not.toBe(await v1.sessionOf(token));
    expect([again.body.uuid, again.token, await v1.howMany()]).toEqual([got.body.uuid, got.token, 1]);
    expect((await v1.as(token, `${address}?uuid=${got.body.uuid}`)).status).toBe(404);
  });
});

test('S-79 each new transaction logs one line, and nothing else does', async () => {
  const logged: string[] = [];
  const v1 = await aV1({ log: (name) => void logged.push(name) });
  const { token = '', body } = await v1.ask(address);
  const other = await v1.tokens.issue('session-1');
  const keyed = { method: 'POST', headers: { 'Idempotency-Key': 'k-1' } };
  const asks: [string, () => Promise<unknown>, number][] = [
    ['a first call', () => v1.ask(address), 1],
    ['a first POST', () => v1.ask(address, { method: 'POST' }), 1],
    ['a POST of a session', () => v1.as(token, address, keyed), 1],
    ['its replay', () => v1.as(token, address, keyed), 0],
    ['a GET of a session that has nothing', () => v1.as(other, address), 1],
    ['a GET of a session that has one', () => v1.as(token, address), 0],
    ['a GET by uuid', () => v1.as(token, `${address}?uuid=${body.uuid}`), 0],
    ['HEAD', () => v1.ask(address, { method: 'HEAD' }), 0],
  ];

  for (const [what, ask, lines] of asks) {
    logged.length = 0;
    await ask();
    const made = logged.filter((name) => name === 'transactionCreated').length;
    expect([what, made]).toEqual([what, lines]);
  }
});

test('S-41 a session that begins with a POST has twenty transactions', async () => {
  const { ask } = await aV1();
  const { token = '' } = await ask(address, sending('POST', {}, { Origin: shop }));
  const headers = { Origin: shop, Authorization: `Bearer ${token}` };

  const statuses: number[] = [];
  for (let number = 2; number <= 21; number += 1)
    statuses.push((await ask(address, sending('POST', {}, headers))).status);

  expect(statuses).toEqual([...Array(19).fill(201), 409]);
});
