import { describe, expect, test } from '@jest/globals';
import { createSessionTokens } from '../../../../functions/shared/auth/session-token.ts';
import { refuse } from '../../../../functions/shared/domain/outcome.ts';
import { createProtectedApi } from '../../../support/apis/protected-api.ts';
import {
  type AskedFor,
  accessKeys,
  basic,
  createTokenService,
  decoded,
  formHeaders,
  now,
  partner,
  reader,
  secret,
} from '../../../support/apis/token-service.ts';
import { heldKeys } from '../../../support/builders/key-rings.ts';
import { aClock } from '../../../support/builders/manual-clock.ts';
import { signed } from '../../../support/builders/presented-token.ts';
import { respelled } from '../../../support/builders/respelled-token.ts';
import { expect400, expect401Basic, refusal } from '../../../support/builders/token-asking.ts';

/** A token service and a V2 over the same stores, at the same time. */
const aService = (change: Parameters<typeof createTokenService>[0] = {}) => {
  const { now: clock, pass } = aClock();
  const service = createTokenService({ clock, ...change });
  const { partners, denylist } = service;
  const api = createProtectedApi(accessKeys, [], { clock, stores: { partners, denylist } });
  const post =
    (path: string) =>
    (body: string, headers: AskedFor['headers'] = formHeaders) =>
      service.ask({ path, body, headers });
  const token = async (headers = formHeaders) => {
    const { json } = await service.ask({ body: 'grant_type=client_credentials', headers });
    return String(json().access_token);
  };
  const read = async (presented: string) => {
    const { status, headers } = await api.ask({ authorization: `Bearer ${presented}` });
    return status === 200 ? 200 : [status, headers['www-authenticate']];
  };
  const [introspect, revoke] = [post('/oauth2/introspect'), post('/oauth2/revoke')];
  return { ...service, introspect, revoke, token, read, passTime: (ms: number) => pass({ ms }) };
};

const as = (clientId: string, password = secret) => ({
  ...formHeaders,
  authorization: basic(clientId, password),
});
const refused = [401, expect.stringContaining('error="invalid_token"')];

describe('introspection', () => {
  test('I-01 I-05 an active token is described, and the response may not be cached', async () => {
    const { introspect, token } = aService();
    const own = await token();

    const answer = await introspect(`token=${own}`);

    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(answer.headers['content-type']).toMatch(/^application\/json(;|$)/);
    expect(answer.json()).toEqual({
      active: true,
      scope: 'nop2/read nop2/write',
      client_id: partner.clientId,
      token_type: 'Bearer',
      exp: 1_795_266_000,
      iat: 1_795_262_400,
      sub: partner.clientId,
      aud: 'https://api.example/api/v2',
      iss: 'https://auth.example',
      jti: decoded(own).claims.jti,
    });
  });

  test('I-01 S-08 an OAuth scope that the partner has lost is not listed', async () => {
    const { introspect, token, partners } = aService();
    const own = await token();
    await partners.update({ before: partner, after: { ...partner, oauthScopes: ['nop2/write'] } });

    expect((await introspect(`token=${own}`)).json().scope).toBe('nop2/write');
  });

  test('I-02 anything else is inactive, without a reason', async () => {
    const { introspect, token, revoke, partners } = aService();
    const [own, revoked] = [await token(), await token()];
    await revoke(`token=${revoked}`);
    const deps = { keys: heldKeys(accessKeys), baseUrl: 'https://api.example', clock: () => now };
    const texts = [
      'garbage',
      signed({}, { exp: now.getTime() / 1000 }),
      revoked,
      // Another client's, a session's, a gone secret's, and one that nobody signed.
      await token(as(reader.clientId)),
      String(await createSessionTokens(deps).issue('session-1')),
      signed({}, { jti: 's9.token' }),
      `${own.slice(0, -4)}AAAA`,
    ];

    for (const text of texts) {
      const answer = await introspect(`token=${text}`);
      expect([answer.status, answer.body]).toEqual([200, '{"active":false}']);
    }

    await partners.endTokens(partner.clientId, now.getTime() + 5_000);
    expect((await introspect(`token=${own}`)).body).toBe('{"active":false}');
  });
});

test('R-31 I-02 V2 refuses a token from the second of its exp on, and introspection calls it inactive', async () => {
  const { introspect, token, read, passTime } = aService();
  const own = await token();
  const said = async () => [await read(own), (await introspect(`token=${own}`)).json().active];

  passTime(3_599_999);
  expect(await said()).toEqual([200, true]);
  passTime(1);
  expect(await said()).toEqual([refused, false]);
});

describe('revocation', () => {
  test('V-01 R-42 S-32 V2 refuses a revoked token at once, and introspection calls it inactive, in any spelling', async () => {
    const { revoke, introspect, token, read } = aService();
    const own = await token();
    const [other, later] = [await token(), signed({}, { jti: 's1.other' })];
    expect(await read(own)).toBe(200);

    const answer = await revoke(`token=${own}`);

    expect([answer.status, answer.body, answer.headers['cache-control']]).toEqual([200, '', 'no-store']);
    expect(await read(own)).toEqual(refused);
    const again = signed({}, { jti: decoded(own).claims.jti });
    expect(again).not.toBe(own);
    expect(await read(again)).toEqual(refused);
    expect((await introspect(`token=${own}`)).body).toBe('{"active":false}');
    expect([await read(other), await read(later)]).toEqual([200, 200]);
  });

  test('V-01 M-10 a token of a new key that this process does not know yet can be revoked', async () => {
    const { revoke, token, read } = aService({ verify: async () => refuse('unknown-key') });
    const own = await token();
    expect(await read(own)).toBe(200);

    expect((await revoke(`token=${own}`)).status).toBe(200);

    expect(await read(own)).toEqual(refused);
  });

  test('R-42 a revoked token stays refused until it has expired, and its entry a minute longer', async () => {
    const { revoke, token, read, passTime, denylist } = aService();
    const own = await token();
    await revoke(`token=${own}`);

    passTime(3_599_999);
    expect(await read(own)).toEqual(refused);
    expect(denylist.asked()).toBe(1);
    passTime(1);
    expect(await read(own)).toEqual(refused);
    expect(denylist.asked()).toBe(1);
    // The engine may remove the entry by a clock that is a minute ahead.
    expect(denylist.untilMs.get(String(decoded(own).claims.jti))).toBe(1_795_266_060_000);
  });

  test('R-42 the denylist is read only for tokens from before a revocation', async () => {
    const { revoke, token, read, passTime, denylist } = aService();
    const [own, other] = [await token(), await token()];
    await read(own);
    expect(denylist.asked()).toBe(0);

    await revoke(`token=${own}`);
    passTime(61_000);
    const fresh = await token();

    expect(await read(other)).toBe(200);
    expect(denylist.asked()).toBe(1);
    expect(await read(fresh)).toBe(200);
    expect(denylist.asked()).toBe(1);
  });

  test('TOK-4 a token that is spelt in another way is inactive, and its revocation ends nothing', async () => {
    const { introspect, revoke, token, read } = aService();
    const own = await token();

    for (const [change, text] of respelled(own)) {
      const body = `token=${encodeURIComponent(text)}`;
      expect([change, (await introspect(body)).body]).toEqual([change, '{"active":false}']);
      expect([change, (await revoke(body)).status]).toEqual([change, 200]);
    }
    expect(await read(own)).toBe(200);
  });

  test('V-02 V-07 an unknown, expired or revoked token is 200 as well', async () => {
    const { revoke, token } = aService();
    const own = await token();

    for (const text of ['garbage', own, own, signed({}, { exp: 1 })])
      expect((await revoke(`token=${text}`)).status).toBe(200);
  });

  test.each(['foo', 'refresh_token', 'access_token'])(
    'V-03 the hint %s keeps no token from being found',
    async (hint) => {
      const { revoke, token, read } = aService();
      const own = await token();

      await revoke(`token=${own}&token_type_hint=${hint}`);

      expect(await read(own)).toEqual(refused);
    },
  );

  test('V-04 the token of another client is refused and stays valid', async () => {
    const { revoke, token, read } = aService();
    const own = await token();

    expect400(await revoke(`token=${own}`, as(reader.clientId)), 'invalid_request');

    expect(await read(own)).toBe(200);
  });

  test('V-06 while the store is down the answer is 503, and the token stays until a revocation is whole', async () => {
    const down = () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
    const { token, read, revoke, partners, denylist } = aService();
    const own = await token();
    const withoutList = { denylist: { has: async () => false, add: down } };
    const withoutNotes = { partners: { ...partners, noteRevocation: down }, denylist };

    for (const failing of [withoutList, withoutNotes]) {
      const request = { path: '/oauth2/revoke', body: `token=${own}` };
      const { status, headers, json } = await createTokenService(failing).ask(request);
      expect([status, Number(headers['retry-after']) > 0]).toEqual([503, true]);
      expect(json()).toEqual(refusal('temporarily_unavailable'));
      expect(await read(own)).toBe(200);
    }
    await revoke(`token=${own}`);
    expect(await read(own)).toEqual(refused);
  });
});

describe.each(['introspect', 'revoke'] as const)('%s', (name) => {
  test('I-03 V-05 needs an authenticated client', async () => {
    const service = aService();
    const body = `token=${await service.token()}`;
    const { authorization: _, ...nobody } = formHeaders;

    expect401Basic(await service[name](body, nobody));
    expect401Basic(await service[name](body, as(partner.clientId, 'wrong')));
    expect401Basic(await service[name](body, as('nobody')));
    const inBody = `${body}&client_id=${partner.clientId}&client_secret=${secret}`;
    expect((await service[name](inBody, nobody)).status).toBe(200);
  });

  test('I-04 needs the parameter token exactly once', async () => {
    const service = aService();

    expect400(await service[name]('token_type_hint=access_token'), 'invalid_request');
    expect400(await service[name]('token='), 'invalid_request');
    expect400(await service[name]('token=a&token=a'), 'invalid_request');
  });

  test('TOK-6 a client whose secret has ended is refused', async () => {
    const service = aService();
    const body = `token=${await service.token()}`;
    const { secrets: before = [] } = (await service.partners.credentialsOf(partner.clientId)) ?? {};
    const after = before.map((stored) => ({ ...stored, expiresAtMs: now.getTime() }));

    await service.partners.replaceSecrets(partner.clientId, { before, after });

    expect401Basic(await service[name](body));
  });
});
