import { SignJWT } from 'jose/jwt/sign';
import { type Outcome, refuse, succeed } from '../domain/outcome.ts';
import { chainEndsAt, type Session, sessionLifetimeSeconds } from '../domain/session.ts';
import type { JsonObject, JsonValue } from '../domain/transaction/transaction.ts';
import type { Clock } from '../runtime/clock.ts';
import { type TokenKind, type TokenRefusal, verifySignedToken } from './signed-token.ts';
import type { SigningKeys } from './signing-keys.ts';

export type SessionTokens = {
  /** A renewed token names the start of its session, so that renewals end (V1-5). */
  issue: (sessionId: string, beganAt?: Date) => Promise<string>;
  verify: (token: string) => Promise<Outcome<Session, TokenRefusal>>;
};

export type SessionTokenDeps = { keys: SigningKeys; baseUrl: string; clock: Clock };

/**
 * Tokens of V1 sessions. They have their own type, issuer, audience and key, so that V1 accepts no token of V2, and V2
 * none of V1 (J-12).
 */
export const createSessionTokens = ({ keys, baseUrl, clock }: SessionTokenDeps): SessionTokens => {
  const kind: TokenKind = { typ: 'session+jwt', issuer: baseUrl, audience: `${baseUrl}/api` };

  const issue = async (sessionId: string, beganAt = clock()) => {
    const { kid, alg, jwk } = await keys.active();
    const issuedAt = toSeconds(clock());
    return new SignJWT({
      iss: kind.issuer,
      aud: kind.audience,
      sub: sessionId,
      // In milliseconds, because a revocation ends the sessions that began before it (V1-9).
      auth_time: beganAt.getTime() / 1000,
    })
      .setProtectedHeader({ alg, kid, typ: kind.typ })
      .setIssuedAt(issuedAt)
      .setExpirationTime(Math.min(issuedAt + sessionLifetimeSeconds, toSeconds(chainEndsAt({ beganAt }))))
      .sign(jwk);
  };

  const verify = async (token: string) => {
    const now = clock();
    const verified = await verifySignedToken(token, { kind, findKey: keys.find, now });
    const session = verified.ok ? readClaims(verified.value) : verified;
    return session.ok && now >= chainEndsAt(session.value) ? refuse('expired' as const) : session;
  };

  return { issue, verify };
};

/** `auth_time` of OpenID Connect is the start of the session. Without it, the session began with this token. */
const readClaims = ({ sub, iat, exp, auth_time = iat }: JsonObject): Outcome<Session, TokenRefusal> =>
  typeof sub === 'string' && sub !== '' && Number.isFinite(auth_time)
    ? succeed({ id: sub, beganAt: toDate(auth_time), issuedAt: toDate(iat), expiresAt: toDate(exp) })
    : refuse('wrong-claims');

/** A NumericDate may have a fraction (RFC 7519 section 2). In some years its product with 1000 is a little too small. */
const toDate = (seconds: JsonValue | undefined) => new Date(Math.round(Number(seconds) * 1000));

const toSeconds = (date: Date) => Math.floor(date.getTime() / 1000);
