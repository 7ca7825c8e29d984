import { SignJWT } from 'jose/jwt/sign';
import { type Outcome, refuse, succeed } from '../domain/outcome.ts';
import type { OAuthScope } from '../domain/partner.ts';
import type { JsonObject } from '../domain/transaction/transaction.ts';
import type { Clock } from '../runtime/clock.ts';
import type { TokenRefusal } from './signed-token.ts';
import { verifySignedToken } from './signed-token.ts';
import type { SigningKey } from './signing-keys.ts';
import type { FindKey } from './verification-key.ts';

/** How long an access token lives (TOK-1). */
export const accessTokenSeconds = 3600;

const typ = 'at+jwt';

export type AccessTokenRequest = { clientId: string; scopes: readonly OAuthScope[]; jti: string };

/** Signs an access token by RFC 9068. Grants are never in it, because they are read at every request (GRANT-2). */
export const signAccessToken = (
  { clientId, scopes, jti }: AccessTokenRequest,
  { key, issuer, audience, now }: { key: SigningKey; issuer: string; audience: string; now: Date },
): Promise<string> => {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({ client_id: clientId, scope: scopes.join(' ') })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(clientId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + accessTokenSeconds)
    .setJti(jti)
    .sign(key.jwk);
};

export type AccessTokenClaims = { clientId: string; scopes: readonly string[]; jti: string };

export type VerifyAccessToken = (token: string) => Promise<Outcome<AccessTokenClaims, TokenRefusal>>;

/** The check of RFC 9068 section 4 for one issuer and audience. */
export const createAccessTokenVerifier =
  (deps: { findKey: FindKey; issuer: string; audience: string; clock: Clock }): VerifyAccessToken =>
  async (token) => {
    const kind = { typ, issuer: deps.issuer, audience: deps.audience };
    const verified = await verifySignedToken(token, { kind, findKey: deps.findKey, now: deps.clock() });
    return verified.ok ? readClaims(verified.value) : verified;
  };

const readClaims = (claims: JsonObject): Outcome<AccessTokenClaims, TokenRefusal> => {
  const { sub, client_id: clientId, jti, scope = '' } = claims;
  if (!isText(sub) || !isText(clientId) || !isText(jti) || typeof scope !== 'string') {
    return refuse('wrong-claims');
  }
  return succeed({ clientId, jti, scopes: scope.split(' ').filter(isText) });
};

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
