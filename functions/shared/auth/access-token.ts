import { SignJWT } from 'jose/jwt/sign';
import { type Outcome, refuse, succeed } from '../domain/outcome.ts';
import type { OAuthScope, PartnerProfile, SecretFacts } from '../domain/partner.ts';
import type { IssuedToken } from '../domain/token-standing.ts';
import type { JsonObject } from '../domain/transaction/transaction.ts';
import type { Clock } from '../runtime/clock.ts';
import type { TokenRefusal } from './signed-token.ts';
import { verifySignedToken } from './signed-token.ts';
import type { SigningKey } from './signing-keys.ts';
import type { FindKey } from './verification-key.ts';

/** Lifetime of an access token, unless its secret ends earlier (TOK-1). */
export const accessTokenSeconds = 3600;

const typ = 'at+jwt';

export type AccessTokenRequest = {
  clientId: string;
  scopes: readonly OAuthScope[];
  jti: string;
  lifetime: TokenLifetime;
};

/** Epoch seconds. */
export type TokenLifetime = { iat: number; exp: number };

/**
 * Begin and end of a token that is issued now. It ends with its secret if that is earlier, so that `expires_in` is
 * true. It does not begin before `tokensFromMs`, because earlier tokens are refused.
 */
export const lifetimeOf = (
  secret: Pick<SecretFacts, 'expiresAtMs'>,
  { tokensFromMs = 0 }: Pick<PartnerProfile, 'tokensFromMs'>,
  now: Date,
): TokenLifetime => {
  const iat = Math.floor(Math.max(now.getTime(), tokensFromMs) / 1000);
  const end = Math.floor((secret.expiresAtMs ?? Number.POSITIVE_INFINITY) / 1000);
  return { iat, exp: Math.max(iat + 1, Math.min(iat + accessTokenSeconds, end)) };
};

/** Signs an access token by RFC 9068. It contains no grants, because they are read at every request (GRANT-2). */
export const signAccessToken = (
  { clientId, scopes, jti, lifetime }: AccessTokenRequest,
  { key, issuer, audience }: { key: SigningKey; issuer: string; audience: string },
): Promise<string> =>
  new SignJWT({ client_id: clientId, scope: scopes.join(' ') })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(clientId)
    .setIssuedAt(lifetime.iat)
    .setExpirationTime(lifetime.exp)
    .setJti(jti)
    .sign(key.jwk);

export type AccessTokenClaims = { clientId: string; scopes: readonly string[] } & IssuedToken & TokenLifetime;

export type VerifyAccessToken = (token: string) => Promise<Outcome<AccessTokenClaims, TokenRefusal>>;

/** Verifies tokens by RFC 9068 section 4, for one issuer and audience. */
export const createAccessTokenVerifier =
  (deps: { findKey: FindKey; issuer: string; audience: string; clock: Clock }): VerifyAccessToken =>
  async (token) => {
    const kind = { typ, issuer: deps.issuer, audience: deps.audience };
    const verified = await verifySignedToken(token, { kind, findKey: deps.findKey, now: deps.clock() });
    return verified.ok ? readClaims(verified.value) : verified;
  };

/** Without a resource owner, the subject is the client itself (RFC 9068 section 2.2). */
const readClaims = (claims: JsonObject): Outcome<AccessTokenClaims, TokenRefusal> => {
  const { sub, client_id: clientId, jti, scope = '', iat, exp } = claims;
  if (!isText(clientId) || sub !== clientId || !isText(jti) || typeof scope !== 'string') {
    return refuse('wrong-claims');
  }
  return succeed({
    clientId,
    jti,
    iat: Number(iat),
    exp: Number(exp),
    scopes: scope.split(' ').filter(isText),
  });
};

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
