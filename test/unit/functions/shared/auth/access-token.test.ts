import { describe, expect, test } from '@jest/globals';
import { generateKey } from '../../../../../functions/rotate-keys/key-material.ts';
import { createSessionTokens } from '../../../../../functions/shared/auth/session-token.ts';
import { createTokenService, decoded, now, partner } from '../../../../support/apis/token-service.ts';
import { heldKeys } from '../../../../support/builders/key-rings.ts';

const service = createTokenService();
const grant = (await service.ask()).json();
const { header, claims } = decoded(grant.access_token);
const { keys } = (await service.ask({ method: 'GET', path: '/oauth2/jwks' })).json() as {
  keys: Record<string, string>[];
};

describe('an access token', () => {
  test('J-01: names its type, its algorithm and a published key', () => {
    expect(header).toEqual({ alg: 'RS256', kid: expect.any(String), typ: 'at+jwt' });
    expect(keys.map(({ kid }) => kid)).toContain(header.kid);
  });

  test('J-02, J-03, J-04, J-09: has the claims of RFC 9068 and nothing private', () => {
    expect(claims).toEqual({
      iss: 'https://auth.example',
      aud: 'https://api.example/api/v2',
      sub: partner.clientId,
      client_id: partner.clientId,
      scope: 'nop2/read nop2/write',
      iat: 1795262400,
      exp: 1795266000,
      jti: 's1.token-1',
    });
  });

  test('J-05: has the granted scope', async () => {
    const body = 'grant_type=client_credentials&scope=nop2%2Fread';
    const { access_token } = (await service.ask({ body })).json();
    expect(decoded(access_token).claims.scope).toBe('nop2/read');
  });

  test('J-12, TH-13: a session token differs in type, issuer, audience, algorithm and key', async () => {
    const key = await generateKey('ES256');
    const tokens = createSessionTokens({
      keys: heldKeys([key]),
      baseUrl: 'https://api.example',
      clock: () => now,
    });
    const session = decoded(await tokens.issue('session-1'));

    expect(session.header).toEqual({ alg: 'ES256', kid: key.kid, typ: 'session+jwt' });
    expect(session.claims).toEqual({
      iss: 'https://api.example',
      aud: 'https://api.example/api',
      sub: 'session-1',
      auth_time: 1795262400,
      iat: 1795262400,
      exp: 1797854400,
    });
  });

  test('J-13, J-14, M-05, M-06: every published key is public, long enough, and has one algorithm', () => {
    expect(keys).toHaveLength(2);
    for (const key of keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
      expect(key).toMatchObject({ alg: 'RS256', e: 'AQAB', kty: 'RSA', use: 'sig' });
      expect(Buffer.from(String(key.n), 'base64url')).toHaveLength(256);
    }
  });
});
