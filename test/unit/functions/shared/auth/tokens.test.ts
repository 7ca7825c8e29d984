import {
  constants,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSign,
  type JsonWebKey,
} from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { generateKey } from '../../../../../functions/rotate-keys/key-material.ts';
import { createAccessTokenVerifier } from '../../../../../functions/shared/auth/access-token.ts';
import type { TokenRefusal } from '../../../../../functions/shared/auth/signed-token.ts';
import { toPublicJwk } from '../../../../../functions/shared/auth/signing-keys.ts';
import { createKeySet } from '../../../../../functions/shared/auth/verification-key.ts';
import { createProtectedApi } from '../../../../support/apis/protected-api.ts';
import { accessKeys, audience, authUrl, now, partner } from '../../../../support/apis/token-service.ts';
import { encoded, rs256 } from '../../../../support/builders/forged-token.ts';
import { aRing } from '../../../../support/builders/key-rings.ts';
import {
  claims,
  header,
  key,
  nowSeconds,
  publicKey,
  signed,
  unsignedWith,
  valid,
  validClaims,
  validHeader,
  validSignature,
} from '../../../../support/builders/presented-token.ts';
import { respelled } from '../../../../support/builders/respelled-token.ts';

const verifierWith = (keys: typeof accessKeys) => {
  const clock = () => now;
  const findKey = createKeySet({ readRing: async () => aRing(keys), clock });
  return createAccessTokenVerifier({ findKey, issuer: authUrl, audience, clock });
};
const verify = verifierWith(accessKeys);
const outcomeOf = async (token: string) => {
  const verified = await verify(token);
  return verified.ok ? 'accepted' : verified.reason;
};

test('S-29 a valid token gives its partner and its OAuth scopes', async () => {
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

type Members = Record<string, unknown>;
const withHeader = (...changes: Members[]) => changes.map((change) => signed(change));
const withClaims = (...changes: Members[]) => changes.map((change) => signed({}, change));
/** Raw JSON in which a member stands twice. */
const twice = (value: unknown, more: string) => JSON.stringify(value).replace('{', `{${more},`);
const resigned = (change: (signature: Buffer) => Uint8Array) =>
  `${validHeader}.${validClaims}.${encoded(change(Buffer.from(validSignature, 'base64url')))}`;

const hmacContent = `${encoded({ ...header, alg: 'HS256' })}.${validClaims}`;
const publicHalf = createPublicKey({ key: publicKey as JsonWebKey, format: 'jwk' });
const hmacKeys = [
  publicHalf.export({ type: 'spki', format: 'pem' }),
  publicHalf.export({ type: 'pkcs1', format: 'pem' }),
  publicHalf.export({ type: 'spki', format: 'der' }),
  JSON.stringify(publicKey),
  String(publicKey.n),
  '',
];
const pssContent = `${encoded({ ...header, alg: 'PS256' })}.${validClaims}`;
const pssKey = createPrivateKey({ key: key as JsonWebKey, format: 'jwk' });
const pss = { key: pssKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
const stranger = await generateKey('RS256');
const strangersPublic = toPublicJwk(stranger);

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const flattened = { protected: validHeader, payload: validClaims, signature: validSignature };
const general = {
  payload: validClaims,
  signatures: [{ protected: validHeader, signature: validSignature }],
};
const serialisations = [flattened, general, { ...flattened, payload: 'a.b.c' }].map((one) =>
  JSON.stringify(one),
);
const notUtf8 = Buffer.from(JSON.stringify({ ...claims, x: '\u00ff' }), 'latin1');
const endless = JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e400');

const refused: Record<TokenRefusal, Record<string, string[]>> = {
  'too-long': {
    'R-36 more than 8,192 characters, without a look at them': [
      'A'.repeat(8_193),
      signed({}, { padding: 'x'.repeat(100_000) }),
    ],
  },
  malformed: {
    'R-09 R-12 alg none without a signature, an empty signature, and a missing one': [
      `${encoded({ ...header, alg: 'none' })}.${validClaims}.`,
      `${validHeader}.${validClaims}.`,
      `${validHeader}.${validClaims}`,
    ],
    'R-21 R-22 an extension': withHeader(
      { crit: ['x'], x: 1 },
      { crit: ['b64'], b64: false },
      { b64: false },
      { crit: [] },
    ),
    'R-32 TH-11 TOK-4 padding, spaces, stray bits and other alphabets': [
      ...respelled(valid).map(([, text]) => text),
      ...[valid.replace('.', '=.'), `.${valid}`],
      `${validHeader}.${validClaims.slice(0, 9)} ${validClaims.slice(9)}.${validSignature}`,
    ],
    'R-33 JSON serialisations': [...serialisations, ...serialisations.map(encoded)],
    'R-34 an encrypted token': ['eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.AAAA.AAAA.AAAA.AAAA'],
    'ERR-4 a header that is no object': ['null', '[]', '7', '{', ''].map((text) => rs256(text, claims, key)),
    'R-35 a header name that appears twice': ['"alg":"none"', '"\\u0061lg":"none"'].map((more) =>
      rs256(twice(header, more), claims, key),
    ),
  },
  'unknown-key': {
    'R-18 S-31 a key id that is a path, an expression, very long or missing': [
      ...['../../../dev/null', "' OR 1=1--", '__proto__', 'constructor', 'k'.repeat(4_000), '\u0000', '', 7],
      undefined,
    ].map(unsignedWith),
    'R-20 a key inside the token, under its own key id': [
      signed({ jwk: strangersPublic, kid: stranger.kid, x5c: ['AAAA'] }, {}, stranger),
    ],
  },
  'wrong-algorithm': {
    'R-09 R-10 alg none in any spelling, with a signature': ['none', 'nOnE', 'NONE', 'none '].map(
      (alg) => `${encoded({ ...header, alg })}.${validClaims}.${validSignature}`,
    ),
    'R-11 R-13 an HMAC keyed with a public key or nothing': hmacKeys.map(
      (hmacKey) => `${hmacContent}.${createHmac('sha256', hmacKey).update(hmacContent).digest('base64url')}`,
    ),
    'R-16 ERR-4 an alg that is no text, or none': withHeader(
      { alg: 7 },
      { alg: null },
      { alg: [] },
      { alg: undefined },
    ),
    'R-16 J-13 another algorithm by the right key': [
      rs256({ ...header, alg: 'RS512' }, claims, key, 'sha512'),
      `${pssContent}.${createSign('sha256').update(pssContent).sign(pss, 'base64url')}`,
    ],
  },
  'bad-signature': {
    'R-14 a changed payload': [
      `${validHeader}.${encoded({ ...claims, scope: 'nop2/read' })}.${validSignature}`,
    ],
    'S-31 a signature of zeros, a longer and a shorter one': [
      resigned(() => Buffer.alloc(256)),
      resigned((own) => Buffer.concat([own, own])),
      resigned((own) => own.subarray(1)),
    ],
    'R-15 another key under the same key id': [
      signed({}, {}, stranger),
      rs256({ ...header, kid: accessKeys[1]?.kid }, claims, key),
    ],
    'R-20 a key inside the token': [signed({ jwk: strangersPublic }, {}, stranger)],
  },
  'wrong-type': {
    'R-23 another typ': withHeader(
      ...['JWT', 'id+jwt', 'session+jwt', '', 7, [], undefined].map((typ) => ({ typ })),
    ),
  },
  'wrong-issuer': {
    'R-25 R-28 another issuer, or none': withClaims(
      ...['https://other.example', 'https://auth.example/', 'https://AUTH.example'].map((iss) => ({ iss })),
      ...[['https://auth.example'], undefined].map((iss) => ({ iss })),
    ),
  },
  'wrong-audience': {
    'R-26 R-28 another audience, or none': withClaims(
      ...['https://other.example', 'https://api.example/api/v', {}, undefined].map((aud) => ({ aud })),
      ...[[], [claims.aud, 7]].map((aud) => ({ aud })),
    ),
  },
  expired: {
    'R-06 R-31 a token from the second of its exp on': withClaims(
      { exp: nowSeconds },
      { exp: nowSeconds - 1 },
    ),
  },
  'not-yet-valid': {
    'R-30 R-31 a token from the future, by 61 s': withClaims(
      { nbf: nowSeconds + 61 },
      { iat: nowSeconds + 61 },
      { iat: nowSeconds + 61, nbf: nowSeconds },
    ),
  },
  'wrong-claims': {
    'R-28 a missing claim': withClaims(
      ...['exp', 'sub', 'client_id', 'iat', 'jti'].map((name) => ({ [name]: undefined })),
    ),
    'R-29 a claim of another type or value': withClaims(
      ...[{ exp: String(nowSeconds + 3600) }, { exp: null }, { iat: String(nowSeconds) }, { nbf: 'now' }],
      ...[{ sub: [] }, { sub: '' }, { sub: 'another' }, { client_id: {} }, { jti: 7 }, { jti: '' }],
      { scope: ['nop2/read'] },
    ),
    'R-29 an infinite exp, and a payload that is no object': [endless, '[]', '7', 'null', '{'].map(
      (payload) => rs256(header, payload, key),
    ),
    'R-34 a nested token, and a compressed one, which is not decompressed': [
      rs256({ ...header, cty: 'JWT' }, valid, key),
      rs256({ ...header, zip: 'DEF' }, deflateRawSync(JSON.stringify(claims)), key),
    ],
    'R-35 a claim name that appears twice, and bytes that are not UTF-8': [
      ...['"sub":"x"', '"x":{"a":[{"b":1}],"a":2}'].map((more) => rs256(header, twice(claims, more), key)),
      rs256(header, notUtf8, key),
    ],
  },
};

describe.each(Object.entries(refused))('a token is refused as %s', (reason, byWhat) => {
  test.each(Object.entries(byWhat))('%s', async (_, tokens) => {
    expect(await Promise.all(tokens.map(outcomeOf))).toEqual(tokens.map(() => reason));
  });
});

test.each([
  [
    'R-24 the long form of typ, in any letter case',
    withHeader({ typ: 'application/at+jwt' }, { typ: 'AT+JWT' }),
  ],
  ['R-27 an audience that includes ours', withClaims({ aud: [claims.aud, 'https://other.example'] })],
  ['R-31 in the last second before its exp', withClaims({ exp: nowSeconds + 1 })],
  ['R-31 60 s before it begins', withClaims({ nbf: nowSeconds + 60, iat: nowSeconds + 60 })],
  [
    'R-35 equal names in different objects',
    [rs256(header, twice(claims, '"x":{"a":1,"b":{"a":"}{,\\"a\\":"}}'), key)],
  ],
])('%s: a token is accepted', async (_, tokens) => {
  expect(await Promise.all(tokens.map(outcomeOf))).toEqual(tokens.map(() => 'accepted'));
});

test('TOK-4 no token with one changed or missing character is accepted', async () => {
  const changes = Array.from(valid, (letter, place) =>
    [letter === 'A' ? 'B' : 'A', alphabet[(place * 11 + 5) % 64], ' ', '=', '']
      .filter((other) => other !== letter)
      .map((other) => `${valid.slice(0, place)}${other}${valid.slice(place + 1)}`),
  ).flat();

  const outcomes = await Promise.all(changes.map(outcomeOf));

  expect(changes.length).toBeGreaterThan(4 * valid.length);
  expect(outcomes).not.toContain('accepted');
}, 60_000);

test('R-17 TH-12 1,000 unknown key ids cause one load, and one more after 20 s', async () => {
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

test('R-19 URLs of keys are not followed', async () => {
  let connections = 0;
  const listener = createServer(() => undefined).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/jwks`;
  const urls = { jku: url, x5u: url };

  const outcomes = [
    await outcomeOf(signed(urls, {}, stranger)),
    await outcomeOf(signed({ ...urls, kid: stranger.kid }, {}, stranger)),
  ];
  await new Promise((resolve) => listener.close(resolve));

  expect([outcomes, connections]).toEqual([['bad-signature', 'unknown-key'], 0]);
});

test('R-46 S-63 a token of another environment is refused', async () => {
  expect(await verifierWith([stranger])(valid)).toEqual({ ok: false, reason: 'unknown-key' });
});
