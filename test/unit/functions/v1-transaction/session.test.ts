import { beforeAll, describe, expect, test } from '@jest/globals';
import { lifetimeOf, signAccessToken } from '../../../../functions/shared/auth/access-token.ts';
import { createSessionTokens } from '../../../../functions/shared/auth/session-token.ts';
import { aV1, baseUrl } from '../../../support/apis/v1-transaction.ts';
import type { Ask } from '../../../support/builders/http-event.ts';
import { createMemoryTransactions } from '../../../support/memory/transactions.ts';

const address = '/api/transaction';
const complete = '6f1d2c3b-4a59-4e68-8778-96a5b4c3d2e2-0000';
type V1 = Awaited<ReturnType<typeof aV1>>;

const json = { 'Content-Type': 'application/json' };
const patch = (body: string, headers: Record<string, string> = {}): Ask => ({
  method: 'PATCH',
  headers: { ...json, ...headers },
  body,
});

/** Two sessions with one incomplete transaction each, and invalid tokens. */
const aScene = async () => {
  const v1 = await aV1();
  const mine = await v1.ask(address);
  const theirs = await v1.ask(address);
  return {
    v1,
    own: mine.body.uuid as string,
    others: theirs.body.uuid as string,
    tokens: {
      'own token': mine.token ?? '',
      "other's token": theirs.token ?? '',
      'V2 token': await partnerToken(v1),
      'invalid token': 'nonsense',
      'expired token': await tokenIssuedDaysAgo(v1, 31),
    } as Record<string, string>,
  };
};

/** As the token service makes it, signed even with the key that V1 trusts. */
const partnerToken = async ({ keys, time }: V1) =>
  signAccessToken(
    { clientId: 'partner', scopes: ['nop2/read'], jti: 'j', lifetime: lifetimeOf({}, {}, time.now) },
    {
      key: await keys.active(),
      issuer: baseUrl,
      audience: `${baseUrl}/api`,
    },
  );

const tokenIssuedDaysAgo = ({ keys, time }: V1, days: number) =>
  createSessionTokens({
    keys,
    baseUrl,
    clock: () => new Date(time.now.getTime() - days * 86_400_000),
  }).issue('s');

describe('TH-01 S-09 S-10 which session reads which uuid', () => {
  const unknown = '6f1d2c3b-4a59-4e68-8778-96a5b4c3d2e1-7k3q';
  const uuids = [
    'no uuid',
    'own',
    "other's",
    'unknown',
    'malformed',
    'empty',
    'bracketed',
    'too long',
  ] as const;
  /** What each token gets for most uuids, and for the others. */
  const expected: [string, string, Partial<Record<(typeof uuids)[number], string>>][] = [
    ['no token', '404', { 'no uuid': 'new' }],
    ['own token', '404', { 'no uuid': 'own', own: 'own' }],
    ["other's token", '404', { 'no uuid': "other's", "other's": "other's" }],
    ['V2 token', '401', {}],
    ['invalid token', '401', {}],
    ['expired token', '401', {}],
  ];
  const cells = expected.flatMap(([token, usual, others]) =>
    uuids.map((uuid) => [token, uuid, others[uuid] ?? usual] as const),
  );
  let scene: Awaited<ReturnType<typeof aScene>>;
  beforeAll(async () => {
    scene = await aScene();
  });

  test.each(cells)('%s, %s: %s', async (token, uuid, outcome) => {
    const { v1, own, others, tokens } = scene;
    const queries: Record<(typeof uuids)[number], string> = {
      'no uuid': '',
      own: `?uuid=${own}`,
      "other's": `?uuid=${others}`,
      unknown: `?uuid=${unknown}`,
      malformed: "?uuid=' OR 1=1",
      empty: '?uuid=',
      bracketed: `?uuid[]=${own}&uuid[0]=${own}`,
      'too long': `?uuid=${'a'.repeat(5000)}`,
    };
    const before = await v1.howMany();

    const answer = await v1.ask(`${address}${queries[uuid]}`, {
      headers: tokens[token] === undefined ? {} : { Authorization: `Bearer ${tokens[token]}` },
    });

    const shown = { [own]: 'own', [others]: "other's" }[answer.body.uuid] ?? 'new';
    expect(answer.status === 200 ? shown : String(answer.status)).toBe(outcome);
    expect(await v1.howMany()).toBe(before + (outcome === 'new' ? 1 : 0));
    const tokenExpected = outcome === 'new' || token === 'own token' || token === "other's token";
    expect(answer.token !== undefined).toBe(tokenExpected);
  });

  test('V1-2 every 404 is the same for any uuid, with or without a token', async () => {
    const { v1, own, others, tokens } = scene;
    const asked = [
      v1.ask(`${address}?uuid=${own}`),
      v1.ask(`${address}?uuid=${unknown}`),
      v1.as(tokens['own token'] ?? '', `${address}?uuid=${others}`),
      v1.as(tokens['own token'] ?? '', `${address}?uuid=${unknown}`),
      v1.as(tokens['own token'] ?? '', `${address}?uuid=nonsense`),
    ];

    const bodies = new Set((await Promise.all(asked)).map(({ text }) => text));

    expect(bodies.size).toBe(1);
  });

  test('DEL-1 a deleted transaction of the session is 404', async () => {
    const { v1, tokens } = scene;
    const session = await v1.tokens.verify(tokens['own token'] ?? '');
    await v1.given(session.ok ? session.value.id : '', { uuid: unknown, isDeleted: 1 });

    const { status } = await v1.as(tokens['own token'] ?? '', `${address}?uuid=${unknown}`);

    expect(status).toBe(404);
  });

  test('QS-1 the last of repeated uuid parameters counts', async () => {
    const { v1, own, others, tokens } = scene;

    const last = await v1.as(tokens['own token'] ?? '', `${address}?uuid=${others}&uuid=${own}`);
    const first = await v1.as(tokens['own token'] ?? '', `${address}?uuid=${own}&uuid=${others}`);

    expect([last.status, first.status]).toEqual([200, 404]);
  });

  test('V1-2 a complete transaction of the session is returned by its uuid', async () => {
    const v1 = await aV1();
    const uuid = '00000000-0000-4000-8000-000000000001-own';
    await v1.given('s1', { uuid, status: 1 });

    const { status, body } = await v1.as(
      await v1.tokens.issue('s1'),
      `${address}?uuid=${uuid}&fields=uuid,status`,
    );

    expect({ status, body }).toEqual({ status: 200, body: { uuid, status: 1 } });
  });
});

describe('V1-5 the token', () => {
  test('R-08 ERR-2 an invalid token is 401 with the same challenge for every cause', async () => {
    const { v1, tokens } = await aScene();

    const answers = await Promise.all(
      ['V2 token', 'invalid token', 'expired token'].map((kind) => v1.as(tokens[kind] ?? '', address)),
    );

    for (const { status, headers, token } of answers) {
      expect({ status, token }).toEqual({ status: 401, token: undefined });
      expect(headers['WWW-Authenticate']).toBe('Bearer realm="api", error="invalid_token"');
    }
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body.message).toBe('Your request was made with invalid credentials.');
  });

  test.each(['Bearer', 'Bearer ', 'Bearer a b', 'Bearer null', 'bearer undefined', 'Bearer x,'])(
    'R-05 "%s" is 401',
    async (authorization) => {
      const v1 = await aV1();

      const { status } = await v1.ask(address, { headers: { Authorization: authorization } });

      expect(status).toBe(401);
      expect(await v1.howMany()).toBe(0);
    },
  );

  test.each([
    ['no scheme', (token: string) => token],
    ['another scheme', (token: string) => `Token ${token}`],
    ['Basic', () => 'Basic Zm9vOmJhcg=='],
    ['nothing', () => ''],
  ])('V1-5 ERR-2 an Authorization of %s is 401, and nothing is created or shown', async (_what, write) => {
    const { v1, own, tokens } = await aScene();
    const headers = { Authorization: write(tokens['own token'] ?? '') };
    const before = await v1.howMany();

    const answers = [
      await v1.ask(address, { headers }),
      await v1.ask(address, { method: 'POST', headers }),
      await v1.ask(`${address}?uuid=${own}`, { headers }),
      await v1.ask(`${address}/${own}`, patch('{"incentive":true}', headers)),
    ];

    for (const { status, token, headers: told } of answers)
      expect([status, token, told['WWW-Authenticate']]).toEqual([401, undefined, 'Bearer realm="api"']);
    expect(await v1.howMany()).toBe(before);
  });

  test('R-39 two Authorization headers are 400', async () => {
    const { v1, tokens } = await aScene();
    const bearer = `Bearer ${tokens['own token']}`;

    const { status, headers, token } = await v1.ask(address, {
      headers: { Authorization: [bearer, bearer] },
    });

    expect({ status, token }).toEqual({ status: 400, token: undefined });
    expect(headers['WWW-Authenticate']).toBe('Bearer realm="api", error="invalid_request"');
  });

  test('R-37 a token in the query is ignored', async () => {
    const { v1, own, tokens } = await aScene();

    const { status } = await v1.ask(`${address}?uuid=${own}&access_token=${tokens['own token']}`);

    expect(status).toBe(404);
  });

  test('J-12 the session token has its own type, issuer, audience and algorithm, and lasts 30 days', async () => {
    const v1 = await aV1();

    const { token = '' } = await v1.ask(address);

    const [header, claims] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(header ?? '')).toEqual({ alg: 'ES256', kid: 'session-1', typ: 'session+jwt' });
    expect(JSON.parse(claims ?? '')).toEqual({
      iss: 'https://api.example',
      aud: 'https://api.example/api',
      sub: expect.stringMatching(/^[A-Za-z0-9]{26}$/),
      auth_time: 1772366400,
      iat: 1772366400,
      exp: 1772366400 + 2_592_000,
    });
  });

  test.each([
    ['2026-03-16T11:59:59Z', 'the same token'],
    ['2026-03-16T12:00:00Z', 'a fresh token'],
    ['2026-03-31T11:59:00Z', 'a fresh token'],
    ['2026-03-31T12:01:00Z', 'none, 401'],
  ])('on %s the response has %s', async (now, expected) => {
    const v1 = await aV1();
    const { token = '' } = await v1.ask(address);
    v1.time.now = new Date(now);

    const answer = await v1.as(token, address);

    const given = answer.token === token ? 'the same token' : 'a fresh token';
    expect(answer.token === undefined ? `none, ${answer.status}` : given).toBe(expected);
  });

  test('a reissued token has the same session and expires in 30 days', async () => {
    const v1 = await aV1();
    const { token = '', body } = await v1.ask(address);
    v1.time.now = new Date('2026-03-20T00:00:00Z');

    const { token: fresh = '' } = await v1.as(token, address);
    v1.time.now = new Date('2026-04-18T00:00:00Z');
    const later = await v1.as(fresh, address);

    expect(later.body.uuid).toBe(body.uuid);
  });

  test('V1-9 a session that the operator revoked is 401 for reads and writes and gets no token', async () => {
    const { v1, own, tokens } = await aScene();
    const token = tokens['own token'] ?? '';
    const session = await v1.tokens.verify(token);
    // The operator's clock may be behind that of the function that issued the token.
    const endedAt = new Date(v1.time.now.getTime() - 3_600_000);
    await v1.sessions.revoke(session.ok ? session.value.id : '', endedAt);
    const made = await v1.howMany();

    const answers = [
      await v1.as(token, address),
      await v1.as(token, `${address}?uuid=${own}`),
      await v1.as(token, `${address}?filter[status]=0`),
      await v1.as(token, `${address}/${own}`, patch('{"guestEmail":"a@b.example"}')),
      await v1.as(token, address, { method: 'POST' }),
    ];
    v1.time.now = new Date('2026-03-20T12:00:00Z');
    const inLastHalf = await v1.as(token, address);
    const other = await v1.as(tokens["other's token"] ?? '', address);

    for (const answer of [...answers, inLastHalf])
      expect([answer.status, answer.token]).toEqual([401, undefined]);
    expect([other.status, await v1.howMany()]).toEqual([200, made]);
  });

  test('V1-5 a session ends 90 days after its first token, however often its token is reissued', async () => {
    const v1 = await aV1();
    let { token = '' } = await v1.ask(address);
    for (const now of ['2026-03-20', '2026-04-10', '2026-05-01', '2026-05-29']) {
      v1.time.now = new Date(`${now}T12:00:00Z`);
      const { status, token: next = '' } = await v1.as(token, address);
      expect([status, next === '']).toEqual([200, false]);
      token = next;
    }

    v1.time.now = new Date('2026-05-30T11:59:59Z');
    const last = await v1.as(token, address);
    v1.time.now = new Date('2026-05-30T12:00:00Z');
    const after = await v1.as(token, address);

    expect([last.status, last.token]).toEqual([200, token]);
    expect([after.status, after.token]).toEqual([401, undefined]);
  });

  /** OWN stands for the uuid of the session's transaction, COMPLETE for that of a complete one. */
  const answers: [string, string, Ask, number][] = [
    ['another uuid', '?uuid=nope', {}, 404],
    ['a bad filter', '?filter[nope]=1', {}, 422],
    ['too many parameters', `?${'a=1&'.repeat(101)}`, {}, 400],
    ['a list', '?filter[status]=0', {}, 200],
    ['a location that is not there', '?location=nowhere', {}, 200],
    ['HEAD', '', { method: 'HEAD' }, 200],
    ['OPTIONS', '', { method: 'OPTIONS' }, 204],
    ['a method that is not there', '', { method: 'DELETE' }, 405],
    ['a method of another address', '/OWN', { method: 'POST' }, 405],
    ['an address that is none of ours', '/OWN/more', {}, 404],
    ['what it has already', '?uuid=OWN', { headers: { 'If-None-Match': '*' } }, 304],
    ['a new transaction', '', { method: 'POST' }, 201],
    ['a change', '/OWN', patch('{"guestEmail":"a@b.example"}'), 200],
    ['a body that is no JSON', '/OWN', patch('{'), 400],
    ['a body of another type', '/OWN', patch('x', { 'Content-Type': 'text/plain' }), 415],
    ['a member that is not there', '/OWN', patch('{"nope":1}'), 422],
    ['a body that is too large', '/OWN', patch(JSON.stringify({ extras: { x: 'x'.repeat(110_000) } })), 413],
    ['a stale tag', '/OWN', patch('{"guestEmail":"a@b.example"}', { 'If-Match': '"0.x"' }), 412],
    ['a complete transaction', '/COMPLETE', patch('{"guestEmail":"a@b.example"}'), 409],
    ['a location of others', '/OWN', patch('{"location":"nowhere"}'), 403],
  ];

  test.each(answers)('%s: the response has the token and may not be cached', async (...row) => {
    const [, query, asked, expected] = row;
    const { v1, own, tokens } = await aScene();
    const session = await v1.tokens.verify(tokens['own token'] ?? '');
    await v1.given(session.ok ? session.value.id : '', { uuid: complete, status: 1 });
    const target = `${address}${query}`.replace('OWN', own).replace('COMPLETE', complete);

    const { status, headers, token } = await v1.as(tokens['own token'] ?? '', target, asked);

    expect({ status, token }).toEqual({ status: expected, token: tokens['own token'] });
    expect(headers['Cache-Control']).toBe('no-store');
  });

  test.each([
    ['a store that is not available', 'ThrottlingException', 503],
    ['a fault', 'ValidationException', 500],
  ])('%s: the response has the token', async (_name, name, expected) => {
    const transactions = {
      ...createMemoryTransactions(),
      newestIncomplete: async () => {
        throw Object.assign(new Error('cause'), { name });
      },
    };
    const v1 = await aV1({ transactions });
    const own = await v1.tokens.issue('s');

    const { status, token } = await v1.as(own, address);

    expect({ status, token }).toEqual({ status: expected, token: own });
  });

  test('ERR-3 an invalid token is checked after path and method, and the response has no token', async () => {
    const v1 = await aV1();
    const asked = [
      v1.as('nonsense', `${address}/a/b`),
      v1.as('nonsense', address, { method: 'DELETE' }),
      v1.as('nonsense', address, { method: 'OPTIONS' }),
      v1.as('nonsense', address),
    ];

    const told = await Promise.all(asked);

    expect(told.map(({ status }) => status)).toEqual([404, 405, 204, 401]);
    expect(told.map(({ token }) => token)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('WR-1 a replayed response has no token', async () => {
    const { v1, own, tokens } = await aScene();
    const change = patch('{"guestEmail":"a@b.example"}', { 'Idempotency-Key': 'once' });
    const first = await v1.as(tokens['own token'] ?? '', `${address}/${own}`, change);

    const again = await v1.as(tokens['own token'] ?? '', `${address}/${own}`, change);

    expect([first.status, first.token]).toEqual([200, tokens['own token']]);
    expect([again.status, again.token]).toEqual([200, undefined]);
    expect(again.headers).toMatchObject({
      'Idempotency-Replayed': 'true',
      'Cache-Control': 'private, no-cache',
    });
  });

  test.each([
    ['an unregistered origin', '', 403],
    ['a uuid', '?uuid=nope', 404],
    ['a filter', '?filter[status]=0', 401],
    ['too many levels', '?a[b][c][d][e]=1', 400],
  ])('%s without a token: %s returns none', async (_name, query, expected) => {
    const v1 = await aV1({ hasStageDefault: false });

    const { status, token } = await v1.ask(`${address}${query}`);

    expect({ status, token }).toEqual({ status: expected, token: undefined });
  });
});
