import { createHmac, createPrivateKey, createPublicKey, createSign, type JsonWebKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { generateKey } from '../../../../../functions/rotate-keys/key-material.ts';
import { toPublicJwk } from '../../../../../functions/shared/auth/signing-keys.ts';
import { createProtectedApi } from '../../../../support/apis/protected-api.ts';
import { accessKeys, partner } from '../../../../support/apis/token-service.ts';
import { encoded, rs256 } from '../../../../support/builders/forged-token.ts';
import {
  claims,
  expect401,
  expectRefused,
  header,
  key,
  publicKey,
  signed,
  unsignedWith,
  valid,
  validClaims,
  validHeader,
  validSignature,
} from '../../../../support/builders/presented-token.ts';

describe('algorithms and keys', () => {
  test.each(['none', 'nOnE', 'NONE', 'none '])('R-09, R-10: alg %j is refused', async (alg) => {
    const unsigned = `${encoded({ ...header, alg })}.${validClaims}.`;
    await expectRefused(unsigned);
    await expectRefused(`${unsigned}${validSignature}`);
  });

  test('R-11, R-13: an HMAC with a public key as its secret is refused', async () => {
    const keyObject = createPublicKey({ key: publicKey as JsonWebKey, format: 'jwk' });
    const hmacKeys = [
      keyObject.export({ type: 'spki', format: 'pem' }),
      keyObject.export({ type: 'pkcs1', format: 'pem' }),
      keyObject.export({ type: 'spki', format: 'der' }),
      JSON.stringify(publicKey),
      String(publicKey.n),
      '',
    ];
    const content = `${encoded({ ...header, alg: 'HS256' })}.${validClaims}`;
    for (const hmacKey of hmacKeys) {
      await expectRefused(`${content}.${createHmac('sha256', hmacKey).update(content).digest('base64url')}`);
    }
  });

  test('R-12: an empty or missing signature is refused', async () => {
    await expectRefused(`${validHeader}.${validClaims}.`);
    await expectRefused(`${validHeader}.${validClaims}`);
  });

  test('R-14: a changed payload is refused', async () => {
    await expectRefused(`${validHeader}.${encoded({ ...claims, scope: 'nop2/read' })}.${validSignature}`);
  });

  test('R-15: another key with the same id is refused', async () => {
    await expectRefused(signed({}, {}, await generateKey('RS256')));
  });

  test('R-16, J-13: another algorithm with the right key is refused', async () => {
    await expectRefused(rs256({ ...header, alg: 'RS512' }, claims, key, 'sha512'));
    const content = `${encoded({ ...header, alg: 'PS256' })}.${validClaims}`;
    const signature = createSign('sha256')
      .update(content)
      .sign({ key: createPrivateKey({ key: key as JsonWebKey, format: 'jwk' }), padding: 6, saltLength: 32 });
    await expectRefused(`${content}.${signature.toString('base64url')}`);
  });

  test('R-17, TH-12: 1,000 unknown key ids cause one load, and one more after 20 s', async () => {
    const own = createProtectedApi(accessKeys, [partner]);
    const flood = async (size: number) => {
      for (let count = 0; count < size; count += 1) {
        const answer = await own.ask({ authorization: `Bearer ${unsignedWith(`kid-${count}`)}` });
        expect(answer.status).toBe(401);
      }
    };

    await flood(999);
    own.passTime(19_999);
    await flood(1);
    expect(own.reloads()).toBe(1);
    own.passTime(1);
    await flood(1000);
    expect(own.reloads()).toBe(2);
  });

  test.each([
    '../../../dev/null',
    "' OR 1=1--",
    '__proto__',
    'constructor',
    'k'.repeat(10_000),
    '\u0000',
    '',
    7,
  ])('R-18: key id %.20j is refused', async (kid) => {
    await expectRefused(unsignedWith(kid));
  });

  test('R-18: a token without a key id is refused', async () => {
    await expectRefused(signed({ kid: undefined }));
  });

  test('R-19: URLs of keys are not followed', async () => {
    let connections = 0;
    const listener = createServer(() => undefined).on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/jwks`;
    const stranger = await generateKey('RS256');
    await expectRefused(signed({ jku: url, x5u: url }, {}, stranger));
    await expectRefused(signed({ jku: url, x5u: url, kid: stranger.kid }, {}, stranger));
    await new Promise((resolve) => listener.close(resolve));

    expect(connections).toBe(0);
  });

  test('R-20: a key inside the token is not trusted', async () => {
    const stranger = await generateKey('RS256');
    await expectRefused(signed({ jwk: toPublicJwk(stranger) }, {}, stranger));
    await expectRefused(
      signed({ jwk: toPublicJwk(stranger), kid: stranger.kid, x5c: ['AAAA'] }, {}, stranger),
    );
  });

  test('R-21, R-22: unknown critical extensions are refused', async () => {
    await expectRefused(signed({ crit: ['x'], x: 1 }));
    await expectRefused(signed({ crit: ['b64'], b64: false }));
    await expectRefused(signed({ b64: false }));
    await expectRefused(signed({ crit: [] }));
  });

  test('R-46 S-63 a token of another environment is refused', async () => {
    const elsewhere = createProtectedApi([await generateKey('RS256')], [partner]);
    expect401(await elsewhere.ask({ authorization: `Bearer ${valid}` }));
  });
});
