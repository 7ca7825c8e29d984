import { expect } from '@jest/globals';
import type { JWK } from 'jose';
import { toPublicJwk } from '../../../functions/shared/auth/signing-keys.ts';
import { createProtectedApi } from '../apis/protected-api.ts';
import { type Answered, accessKeys, disabled, now, partner } from '../apis/token-service.ts';
import { encoded, rs256 } from './forged-token.ts';

/** The key that the forgeries below are made with; the protected API knows its public half. */
export const [key] = accessKeys as [JWK];
export const publicKey = toPublicJwk(key);
export const api = createProtectedApi(accessKeys, [partner, disabled]);

export const nowSeconds = now.getTime() / 1000;
export const header = { alg: 'RS256', kid: key.kid, typ: 'at+jwt' };
export const claims = {
  iss: 'https://auth.example',
  aud: 'https://api.example/api/v2',
  sub: partner.clientId,
  client_id: partner.clientId,
  scope: 'nop2/read nop2/write',
  iat: nowSeconds,
  exp: nowSeconds + 3600,
  jti: 's1.token-1',
};
type Change = Record<string, unknown>;
/** A token of ours but for the changes; `undefined` takes a member away. */
export const signed = (headerChange: Change = {}, claimsChange: Change = {}, by = key) =>
  rs256({ ...header, ...headerChange }, { ...claims, ...claimsChange }, by);
export const valid = signed();
export const [validHeader, validClaims, validSignature] = valid.split('.') as [string, string, string];

export const bearing = (token: string) => api.ask({ authorization: `Bearer ${token}` });
const described = 'resource_metadata="https://api.example/.well-known/oauth-protected-resource/api/v2"';

export const expect401 = (answer: Answered, challenge = 'Bearer realm="api", error="invalid_token"') => {
  expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, `${challenge}, ${described}`]);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(answer.headers['request-id']).toBe('request-1');
  expect(answer.json().message).toBe('Your request was made with invalid credentials.');
};
export const expectRefused = async (token: string) => expect401(await bearing(token));

/** A token that never gets as far as its signature: signing a thousand of them would only take time. */
export const unsignedWith = (kid: unknown) =>
  `${encoded({ ...header, kid })}.${validClaims}.${validSignature}`;
