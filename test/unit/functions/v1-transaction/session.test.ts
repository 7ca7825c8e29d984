import { describe, expect, test } from '@jest/globals';
import { lifetimeOf, signAccessToken } from '../../../../functions/shared/auth/access-token.ts';
import { createSessionTokens } from '../../../../functions/shared/auth/session-token.ts';
import { address, aV1, baseUrl } from '../../../support/apis/v1-transaction.ts';
import { type Ask, sending } from '../../../support/builders/http-event.ts';

const complete = '6f1d2c3b-4a59-4e68-8778-96a5b4c3d2e2-0000';
const unknown = '6f1d2c3b-4a59-4e68-8778-96a5b4c3d2e1-7k3q';
type V1 = Awaited<ReturnType<typeof aV1>>;

const patch = (body: object, headers: Record<string, string> = {}) => sending('PATCH', body, headers);

/** Two sessions with one incomplete transaction each, and invalid tokens. */
const aScene = async () => {
  const v1 = await aV1();
  const mine = await v1.ask(address);
  const theirs = await v1.ask(address);
  return {
    v1,
    token: mine.token ?? '',
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
    { key: await keys.active(), issuer: baseUrl, audience: `${baseUrl}/api` },
  );

const tokenIssuedDaysAgo = ({ keys, time }: V1, days: number) =>
  createSessionTokens({
    keys,
    baseUrl,
    clock: () => new Date(time.now.getTime() - days * 86_400_000),
  }).issue('s');

describe('TH-01 S-09 S-10 QS-1 whose token, which uuid', () => {
  test.each<[string, Record<string, string>, number]>([
    ['no token', { 'no uuid': 'new' }, 404],
    ['own token', { 'no uuid': 'own', own: 'own', 'own after another': 'own' }, 404],
    ["other's token", { 'no uuid': "other's", "other's": "other's", 'another after own': "other's" }, 404],
    ['V2 token', {}, 401],
    ['invalid token', {}, 401],
    ['expired token', {}, 401],
  ])('%s: %j, and else %i', async (name, shown, refusal) => {
    const { v1, own, others, tokens } = await aScene();
    const queries = {
      'no uuid': '',
      own: `?uuid=${own}`,
      "other's": `?uuid=${others}`,
      unknown: `?uuid=${unknown}`,
      malformed: "?uuid=' OR 1=1",
      empty: '?uuid=',
      bracketed: `?uuid[]=${own}&uuid[0]=${own}`,
      'too long': `?uuid=${'a'.repeat(5000)}`,
      'own after another': `?uuid=${others}&uuid=${own}`,
      'another after own': `?uuid=${own}&uuid=${others}`,
    };
    const token = tokens[name];
    const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };

    for (const [uuid, query] of Object.entries(queries)) {
      const before = await v1.howMany();
      const answer = await v1.ask(`${address}${query}`, { headers });

      const expected = shown[uuid] ?? refusal;
      const isNew = expected === 'new';
      const seen = { [own]: 'own', [others]: "other's" }[answer.body.uuid] ?? 'new';
      expect([uuid, answer.status === 200 ? seen : answer.status]).toEqual([uuid, expected]);
      expect(answer.token).toEqual(isNew ? expect.any(String) : refusal === 404 ? token : undefined);
      expect(await v1.howMany()).toBe(before + (isNew ? 1 : 0));
    }
  });

  test('V1-2 DEL-1 every 404 is the same, whatever the uuid and whether there is a token', async () => {
    const { v1, token, own, others } = await aScene();
    const deleted = complete;
    await v1.given(await v1.sessionOf(token), { uuid: deleted, isDeleted: 1 });

    const answers = [
      await v1.ask(`${address}?uuid=${own}`),
      await v1.ask(`${address}?uuid=${unknown}`),
      ...(await Promise.all(
        [others, unknown, deleted, 'nonsense'].map((uuid) => v1.as(token, `${address}?uuid=${uuid}`)),
      )),
    ];

    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(404));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test('V1-2 the path names a uuid like the parameter, also that of a complete transaction', async () => {
    const { v1, token, own, others } = await aScene();
    await v1.given(await v1.sessionOf(token), { uuid: complete, status: 1 });

    const targets = [`?uuid=${complete}&fields=uuid,status`, `/${complete}?fields=uuid,status`];
    const [byParameter, byPath] = await Promise.all(targets.map((one) => v1.as(token, `${address}${one}`)));
    const refused = [
      await v1.ask(`${address}/${own}`),
      await v1.as(token, `${address}/${others}`),
      await v1.as(token, `${address}/x`),
    ];

    expect([byParameter?.status, byParameter?.body]).toEqual([200, { uuid: complete, status: 1 }]);
    expect(byPath).toEqual(byParameter);
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});

describe('V1-5 the token', () => {
  const withoutError = 'Bearer realm="api"';
  const withError = 'Bearer realm="api", error="invalid_token"';
  test.each<[string, (tokens: Record<string, string>) => string, string]>([
    ['no scheme', (of) => `${of['own token']}`, withoutError],
    ['another scheme', (of) => `Token ${of['own token']}`, withoutError],
    ['Basic', () => 'Basic Zm9vOmJhcg==', withoutError],
    ['nothing', () => '', withoutError],
    ['a scheme without a token', () => 'Bearer ', withoutError],
    ['two words', (of) => `Bearer ${of['own token']} b`, withError],
    ['a comma at the end', (of) => `Bearer ${of['own token']},`, withError],
    ['what a script writes of no token', () => 'bearer undefined', withError],
    ['a token of V2', (of) => `Bearer ${of['V2 token']}`, withError],
    ['an expired token', (of) => `Bearer ${of['expired token']}`, withError],
  ])('R-05 R-08 ERR-2 an Authorization of %s is 401, and nothing is made or shown', async (...row) => {
    const [, write, challenge] = row;
    const { v1, tokens, own } = await aScene();
    const headers = { Authorization: write(tokens) };

    const answers = [
      await v1.ask(address, { headers }),
      await v1.ask(address, { method: 'POST', headers }),
      await v1.ask(`${address}?uuid=${own}`, { headers }),
      await v1.ask(`${address}/${own}`, patch({ incentive: true }, headers)),
    ];

    const message = 'Your request was made with invalid credentials.';
    for (const { status, token, body, headers: told } of answers) {
      expect([status, token, body.message]).toEqual([401, undefined, message]);
      expect(told['WWW-Authenticate']).toBe(challenge);
    }
    expect(await v1.howMany()).toBe(2);
  });

  test('R-37 R-39 two Authorization headers are 400, and one in the query is none', async () => {
    const { v1, token, own } = await aScene();
    const twice = { Authorization: [`Bearer ${token}`, `Bearer ${token}`] };

    const two = await v1.ask(address, { headers: twice });
    const inQuery = await v1.ask(`${address}?uuid=${own}&access_token=${token}`);

    expect([two.status, two.token]).toEqual([400, undefined]);
    expect(two.headers['WWW-Authenticate']).toBe('Bearer realm="api", error="invalid_request"');
    expect(inQuery.status).toBe(404);
  });

  test('V1-9 a session that the operator revoked is 401 for reads and writes and gets no token', async () => {
    const { v1, token, own, tokens } = await aScene();
    // The operator's clock may be behind that of the function that issued the token.
    const endedAt = new Date(v1.time.now.getTime() - 3_600_000);
    await v1.sessions.revoke(await v1.sessionOf(token), endedAt);

    const answers = [
      await v1.as(token, address),
      await v1.as(token, `${address}?uuid=${own}`),
      await v1.as(token, `${address}?filter[status]=0`),
      await v1.as(token, `${address}/${own}`, patch({ guestEmail: 'a@b.example' })),
      await v1.as(token, address, { method: 'POST' }),
    ];
    v1.time.now = new Date('2026-03-20T12:00:00Z');
    const inLastHalf = await v1.as(token, address);
    const other = await v1.as(tokens["other's token"] ?? '', address);

    for (const answer of [...answers, inLastHalf])
      expect([answer.status, answer.token]).toEqual([401, undefined]);
    expect([other.status, await v1.howMany()]).toEqual([200, 2]);
  });

  test('V1-5 a session ends 90 days after its first token, however often its token is reissued', async () => {
    const v1 = await aV1();
    let { token = '', body } = await v1.ask(address);
    for (const now of ['2026-03-20', '2026-04-10', '2026-05-01']) {
      v1.time.now = new Date(`${now}T12:00:00Z`);
      const answer = await v1.as(token, address);
      expect([answer.status, answer.body.uuid, answer.token === token]).toEqual([200, body.uuid, false]);
      token = answer.token ?? '';
    }

    v1.time.now = new Date('2026-05-30T11:59:59Z');
    const last = await v1.as(token, address);
    v1.time.now = new Date('2026-05-30T12:00:00Z');
    const after = await v1.as(token, address);

    expect([last.status, last.token]).toEqual([200, token]);
    expect([after.status, after.token]).toEqual([401, undefined]);
  });

  /** OWN stands for the uuid of the session's transaction, COMPLETE for that of a complete one. */
  test.each<[string, string, Ask, number]>([
    ['another uuid', '?uuid=nope', {}, 404],
    ['a bad filter', '?filter[nope]=1', {}, 422],
    ['too many parameters', `?${'a=1&'.repeat(101)}`, {}, 400],
    ['a list', '?filter[status]=0', {}, 200],
    ['a location that is not there', '?location=nowhere', {}, 200],
    ['OPTIONS', '', { method: 'OPTIONS' }, 204],
    ['a method of another address', '/OWN', { method: 'POST' }, 405],
    ['an address that is none of ours', '/OWN/more', {}, 404],
    ['what it has already', '?uuid=OWN', { headers: { 'If-None-Match': '*' } }, 304],
    ['a new transaction', '', { method: 'POST' }, 201],
    ['a change', '/OWN', patch({ incentive: true }), 200],
    ['a body of another type', '/OWN', { method: 'PATCH', body: 'x' }, 415],
    ['a complete transaction', '/COMPLETE', patch({ incentive: true }), 409],
    ['a location of others', '/OWN', patch({ location: 'nowhere' }), 403],
  ])('%s: the response has the token and may not be cached', async (_name, query, asked, expected) => {
    const { v1, token, own } = await aScene();
    await v1.given(await v1.sessionOf(token), { uuid: complete, status: 1 });
    const target = `${address}${query}`.replace('OWN', own).replace('COMPLETE', complete);

    expect(await v1.as(token, target, asked)).toMatchObject({
      status: expected,
      token,
      headers: { 'Cache-Control': 'no-store' },
    });
  });
});
