import { describe, expect, test } from '@jest/globals';
import { generateKey } from '../../../../functions/rotate-keys/key-material.ts';
import { createSessionTokens } from '../../../../functions/shared/auth/session-token.ts';
import { createProtectedApi } from '../../../support/apis/protected-api.ts';
import { accessKeys, aStoredSecret, disabled, now, partner } from '../../../support/apis/token-service.ts';
import { heldKeys } from '../../../support/builders/key-rings.ts';
import {
  api,
  bearing,
  expect401,
  expectRefused,
  signed,
  valid,
} from '../../../support/builders/presented-token.ts';

describe('the presented token', () => {
  test.each([
    ['R-01 ERR-2 no credentials', {}, {}],
    ['R-03 another scheme', { authorization: 'Basic Zm9vOmJhcg==' }, {}],
    ['R-05 the scheme alone', { authorization: 'Bearer' }, {}],
    ['R-05 the scheme and a space', { authorization: 'Bearer ' }, {}],
    ['R-37 a token in the query string alone', {}, { access_token: valid }],
  ])('%s is 401 without an error code', async (_, headers, query) => {
    expect401(await api.ask(headers, query), 'Bearer realm="api"');
  });

  test.each(['Bearer a b', `Bearer ${valid} ${valid}`, `Bearer ${valid},`])(
    'R-05 ERR-2 %.16s… is no single token',
    async (authorization) => {
      expect401(await api.ask({ authorization }));
    },
  );

  test('R-32 TOK-4 only a blank or a tab may stand beside the token, as they are no part of the header', async () => {
    const asked = async (text: string) => (await api.ask({ Authorization: text })).status;

    for (const space of [' ', '\t', ' \t '])
      expect([await asked(`Bearer ${valid}${space}`), await asked(`${space}Bearer ${valid}`)]).toEqual([
        200, 200,
      ]);
    for (const space of ['\u00a0', '\ufeff', '\u2028', '\v', '\f', '\r\n'])
      expect([await asked(`Bearer ${valid}${space}`), await asked(`${space}Bearer ${valid}`)]).toEqual([
        401, 401,
      ]);
  });

  test('R-04 the scheme has any letter case', async () => {
    expect((await api.ask({ Authorization: `bEARER ${valid}` })).status).toBe(200);
  });

  test('R-38 a token in two places is 400', async () => {
    const answer = await api.ask({ authorization: `Bearer ${valid}` }, { access_token: valid });

    const challenge = 'Bearer realm="api", error="invalid_request"';
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([400, challenge]);
  });

  test('R-39 two Authorization headers are refused in both orders', async () => {
    const forged = signed({}, { sub: 'x' }, await generateKey('RS256'));
    for (const pair of [
      [valid, forged],
      [forged, valid],
    ]) {
      const listed = pair.map((token) => `Bearer ${token}`);
      expect((await api.ask({ authorization: listed })).status).toBe(400);
      expect((await api.ask({ authorization: listed.join(', ') })).status).toBe(401);
    }
  });

  test.each(['nop2/write', '', 'NOP2/READ', undefined])(
    'R-40 ERR-2 a token with the scope %j is 403, and the missing one is named',
    async (scope) => {
      const answer = await bearing(signed({}, { scope }));

      const challenge = 'Bearer realm="api", error="insufficient_scope", scope="nop2/read"';
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([403, challenge]);
    },
  );

  test('R-07 a session token is refused', async () => {
    const keys = heldKeys([await generateKey('ES256')]);
    const tokens = createSessionTokens({ keys, baseUrl: 'https://api.example', clock: () => now });

    await expectRefused(await tokens.issue('session-1'));
    await expectRefused(signed({ typ: 'session+jwt' }, { aud: 'https://api.example/api' }));
  });

  test('R-08 J-12 an access token is none to sessions', async () => {
    const keys = heldKeys(accessKeys);
    const tokens = createSessionTokens({ keys, baseUrl: 'https://auth.example', clock: () => now });

    expect(await tokens.verify(valid)).toEqual({ ok: false, reason: 'wrong-type' });
  });
});

describe('the partner of the token', () => {
  const asking = async () => {
    const own = createProtectedApi(accessKeys, [partner]);
    const ask = async (token = valid) => (await own.ask({ authorization: `Bearer ${token}` })).status;
    expect(await ask()).toBe(200);
    return { ...own, ask };
  };

  test('TOK-5 a disabled or unknown partner is refused although its token runs', async () => {
    await expectRefused(signed({}, { client_id: disabled.clientId, sub: disabled.clientId }));
    await expectRefused(signed({}, { client_id: 'nobody', sub: 'nobody' }));
  });

  test.each<[string, object, number]>([
    ['R-43 TH-09 a partner that is disabled', { enabled: false }, 401],
    ['S-08 an OAuth scope that the partner loses', { oauthScopes: ['nop2/write'] }, 403],
  ])('%s between two requests counts at the second', async (_, change, expected) => {
    const { ask, partners } = await asking();

    await partners.update({ before: partner, after: { ...partner, ...change } });

    expect(await ask()).toBe(expected);
  });

  describe('TOK-6 tokens and their secret', () => {
    const before = [aStoredSecret()];

    test('a token of a removed secret is refused', async () => {
      const { ask, partners } = await asking();

      await partners.replaceSecrets(partner.clientId, { before, after: [aStoredSecret({ id: 's2' })] });

      expect([await ask(), await ask(signed({}, { jti: 's2.token' }))]).toEqual([401, 200]);
    });

    test('a token is valid until its secret ends', async () => {
      const { ask, partners, passTime } = await asking();
      const after = [aStoredSecret({ expiresAtMs: now.getTime() + 1000 })];
      await partners.replaceSecrets(partner.clientId, { before, after });

      passTime(999);
      expect(await ask()).toBe(200);
      passTime(1);
      expect(await ask()).toBe(401);
    });

    test('a token from before a revocation is refused, and one from the same second is accepted', async () => {
      const { ask, partners } = await asking();
      const second = now.getTime() + 5000;

      await partners.endTokens(partner.clientId, second);

      expect(await ask()).toBe(401);
      expect(await ask(signed({}, { iat: second / 1000 - 1 }))).toBe(401);
      expect(await ask(signed({}, { iat: second / 1000 }))).toBe(200);
    });

    test('a token that does not name its secret is refused', async () => {
      const { ask } = await asking();

      expect(await ask(signed({}, { jti: 'token' }))).toBe(401);
      expect(await ask(signed({}, { jti: '.s1' }))).toBe(401);
    });
  });
});
