import { expect, test } from '@jest/globals';
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createIdTokenVerifier } from '../../../../functions/v1-transaction/id-token.ts';
import { KeySetUnavailable } from '../../../../functions/v1-transaction/key-set.ts';
import { respelled } from '../../../support/builders/respelled-token.ts';

const issuer = 'https://id.example';
const provider = { issuer, audience: 'shop', algorithm: 'RS256' } as const;
const club = { ...provider, audience: 'club' };
const now = Date.parse('2026-03-01T12:00:00Z') / 1000;

const own = await generateKeyPair('RS256');
/** A key that is published without an algorithm. */
const pss = await generateKeyPair('PS256');
const keys = [
  { ...(await exportJWK(own.publicKey)), kid: 'key-1', alg: 'RS256' },
  { ...(await exportJWK(pss.publicKey)), kid: 'pss' },
];
const clock = () => new Date(now * 1000);
const verify = createIdTokenVerifier({ keySetOf: () => createLocalJWKSet({ keys }), clock });

type IdToken = { claims?: object; header?: object; key?: Parameters<SignJWT['sign']>[0] };
const idToken = ({ claims, header, key = own.privateKey }: IdToken = {}) =>
  new SignJWT({ iss: issuer, aud: 'shop', sub: 'ada', iat: now, exp: now + 3_600, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'key-1', ...header })
    .sign(key);

const invalid = { ok: false, reason: 'invalid-token' };

test.each<[string, IdToken]>([
  ['another issuer', { claims: { iss: 'https://evil.example' } }],
  ['no issuer', { claims: { iss: undefined } }],
  ['another audience', { claims: { aud: 'other' } }],
  ['another authorised party', { claims: { aud: ['shop', 'other'], azp: 'other' } }],
  ['two audiences and no authorised party', { claims: { aud: ['shop', 'other'] } }],
  ['another algorithm', { header: { alg: 'ES256' }, key: (await generateKeyPair('ES256')).privateKey }],
  ['an algorithm that the key allows', { header: { alg: 'PS256', kid: 'pss' }, key: pss.privateKey }],
  ['HS256 by the public key', { header: { alg: 'HS256' }, key: Buffer.from(JSON.stringify(keys[0])) }],
  ['another key of the same id', { key: (await generateKeyPair('RS256')).privateKey }],
  ['a key that the provider has not', { header: { kid: 'key-9' } }],
  ['the events of a logout token', { claims: { events: {} } }],
  ['the scope of an access token', { claims: { scope: 'openid' } }],
  ['the type of an access token', { header: { typ: 'at+jwt' } }],
  ['an end 61 s ago', { claims: { exp: now - 61 } }],
  ['no end', { claims: { exp: undefined } }],
  ['a time more than ten minutes ago', { claims: { iat: now - 601 } }],
  ['a time in the future', { claims: { iat: now + 61 } }],
  ['no time', { claims: { iat: undefined } }],
  ['no subject', { claims: { sub: undefined } }],
  ['an empty subject', { claims: { sub: '' } }],
  ['a subject of 256 characters', { claims: { sub: 'a'.repeat(256) } }],
])('V1-10 an ID token with %s is invalid', async (_flaw, of) => {
  expect(await verify(await idToken(of), [provider, club])).toEqual(invalid);
});

test.each([
  ['no token', 'nonsense'],
  ['alg none', `${btoa('{"alg":"none"}')}.${btoa('{"iss":"https://id.example","aud":"shop","sub":"ada"}')}.`],
  ['an empty signature', 'a.b.'],
])('V1-10 %s is invalid', async (_flaw, token) => {
  expect(await verify(token, [provider])).toEqual(invalid);
});

test.each(respelled(await idToken()))(
  'TOK-4 V1-10 an ID token with %s is invalid',
  async (_change, token) => {
    expect(await verify(token, [provider])).toEqual(invalid);
  },
);

test.each<[string, IdToken, typeof provider | typeof club]>([
  ['one audience', {}, provider],
  [
    'several audiences is for the one that it was issued to',
    { claims: { aud: ['club', 'shop'], azp: 'shop' } },
    provider,
  ],
  ['the audience of another client is for that', { claims: { aud: 'club' } }, club],
  [
    'its type, ten minutes and an end within the leeway',
    { header: { typ: 'JWT' }, claims: { iat: now - 600, exp: now - 59 } },
    provider,
  ],
])('V1-10 an ID token with %s', async (_, of, client) => {
  const subject = 'ada';

  expect(await verify(await idToken(of), [provider, club])).toEqual({
    ok: true,
    value: { provider: client, subject },
  });
});

test('V1-10 an ID token of a provider without a key set is not judged', async () => {
  const keySetOf = () => () => Promise.reject(new KeySetUnavailable());
  const withoutKeys = createIdTokenVerifier({ keySetOf, clock });

  expect(await withoutKeys(await idToken(), [provider])).toEqual({
    ok: false,
    reason: 'key-set-unavailable',
  });
});
