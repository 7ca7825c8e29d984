import { describe, expect, test } from '@jest/globals';
import { createAccessTokenVerifier } from '../../../../../functions/shared/auth/access-token.ts';
import { createKeySet } from '../../../../../functions/shared/auth/verification-key.ts';
import { accessKeys, audience, authUrl, now, partner } from '../../../../support/apis/token-service.ts';
import { rs256 } from '../../../../support/builders/forged-token.ts';
import { aRing } from '../../../../support/builders/key-rings.ts';
import {
  claims,
  header,
  key,
  nowSeconds,
  signed,
  valid,
} from '../../../../support/builders/presented-token.ts';

const clock = () => now;
const verify = createAccessTokenVerifier({
  findKey: createKeySet({ readRing: async () => aRing(accessKeys), clock }),
  issuer: authUrl,
  audience,
  clock,
});

describe('S-29: the verifier', () => {
  test('a valid token gives its partner and its scopes', async () => {
    expect(await verify(valid)).toEqual({
      ok: true,
      value: {
        clientId: partner.clientId,
        jti: 's1.token-1',
        iat: nowSeconds,
        exp: nowSeconds + 3600,
        scopes: ['nop2/read', 'nop2/write'],
      },
    });
  });

  test.each([
    ['too-long', `${valid}${'A'.repeat(8192)}`],
    ['malformed', `${valid}=`],
    ['malformed', signed({ crit: ['x'], x: 1 })],
    ['unknown-key', signed({ kid: 'other' })],
    ['unknown-key', signed({ kid: undefined })],
    ['wrong-algorithm', rs256({ ...header, alg: 'RS512' }, claims, key, 'sha512')],
    ['bad-signature', rs256({ ...header, kid: accessKeys[1]?.kid }, claims, key)],
    ['wrong-type', signed({ typ: 'session+jwt' })],
    ['wrong-issuer', signed({}, { iss: 'https://other.example' })],
    ['wrong-audience', signed({}, { aud: 'https://other.example' })],
    ['expired', signed({}, { exp: nowSeconds - 61 })],
    ['not-yet-valid', signed({}, { nbf: nowSeconds + 61 })],
    ['wrong-claims', signed({}, { jti: undefined })],
    ['wrong-claims', signed({}, { sub: 'another' })],
  ])('refuses with %s', async (reason, token) => {
    expect(await verify(token)).toEqual({ ok: false, reason });
  });
});
