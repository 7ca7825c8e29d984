import { describe, expect, test } from '@jest/globals';
import { rs256 } from '../../../../support/builders/forged-token.ts';
import {
  accepted,
  claims,
  expectRefused,
  header,
  key,
  nowSeconds,
  signed,
} from '../../../../support/builders/presented-token.ts';

describe('claims', () => {
  test.each(['JWT', 'id+jwt', '', 7, undefined])('R-23: typ %j is refused', async (typ) => {
    await expectRefused(signed({ typ }));
  });

  test('R-24: the long form of typ is accepted', async () => {
    expect(await accepted(signed({ typ: 'application/at+jwt' }))).toBe(200);
    expect(await accepted(signed({ typ: 'AT+JWT' }))).toBe(200);
  });

  test.each(['https://other.example', 'https://auth.example/', 'https://AUTH.example'])(
    'R-25: iss %s is refused',
    async (iss) => {
      await expectRefused(signed({}, { iss }));
    },
  );

  test.each([['https://other.example'], ['https://api.example/api/v'], [[]], [undefined], [[claims.aud, 7]]])(
    'R-26: aud %j is refused',
    async (aud) => {
      await expectRefused(signed({}, { aud }));
    },
  );

  test('R-27: an audience that includes ours is accepted', async () => {
    expect(await accepted(signed({}, { aud: [claims.aud, 'https://other.example'] }))).toBe(200);
  });

  test.each(['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'])(
    'R-28: without %s it is 401',
    async (name) => {
      await expectRefused(signed({}, { [name]: undefined }));
    },
  );

  test.each([
    [{ exp: String(nowSeconds + 3600) }],
    [{ exp: null }],
    [{ iat: String(nowSeconds) }],
    [{ nbf: 'now' }],
    [{ aud: {} }],
    [{ sub: [] }],
    [{ sub: '' }],
    [{ client_id: {} }],
    [{ jti: 7 }],
    [{ iss: ['https://auth.example'] }],
    [{ scope: ['nop2/read'] }],
  ])('R-29: %j has the wrong type', async (change) => {
    await expectRefused(signed({}, change));
  });

  test('R-29: an infinite exp, and a payload that is not an object, are refused', async () => {
    const endless = JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e400');
    for (const payload of [endless, '[]', '7', 'null', '', '{']) {
      await expectRefused(rs256(header, payload, key));
    }
  });

  test('R-30: a token from the future is refused', async () => {
    await expectRefused(signed({}, { nbf: nowSeconds + 600 }));
    await expectRefused(signed({}, { iat: nowSeconds + 600 }));
    await expectRefused(signed({}, { iat: nowSeconds + 600, nbf: nowSeconds }));
    expect(await accepted(signed({}, { nbf: nowSeconds + 59, iat: nowSeconds + 59 }))).toBe(200);
  });

  test('R-06, R-31: 59 s after its expiry a token is accepted, 61 s after it refused', async () => {
    expect(await accepted(signed({}, { exp: nowSeconds - 59 }))).toBe(200);
    await expectRefused(signed({}, { exp: nowSeconds - 61 }));
  });
});
