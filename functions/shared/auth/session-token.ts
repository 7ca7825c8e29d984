import { SignJWT } from 'jose/jwt/sign';
import { type Outcome, refuse, succeed } from '../domain/outcome.ts';
import { type Session, sessionLifetimeSeconds } from '../domain/session.ts';
import type { JsonObject, JsonValue } from '../domain/transaction/transaction.ts';
import type { Clock } from '../runtime/clock.ts';
import { type TokenKind, type TokenRefusal, verifySignedToken } from './signed-token.ts';
import type { SigningKeys } from './signing-keys.ts';

export type SessionTokens = {
  issue: (sessionId: string) => Promise<string>;
  verify: (token: string) => Promise<Outcome<Session, TokenRefusal>>;
};

export type SessionTokenDeps = { keys: SigningKeys; baseUrl: string; clock: Clock };

/** Tokens of V1 sessions: own type, issuer, audience and key, so that neither API takes the other's (J-12). */
export const createSessionTokens = ({ keys, baseUrl, clock }: SessionTokenDeps): SessionTokens => {
  const kind: TokenKind = { typ: 'session+jwt', issuer: baseUrl, audience: `${baseUrl}/api` };

  const issue = async (sessionId: string) => {
    const { kid, alg, jwk } = await keys.active();
    const issuedAt = Math.floor(clock().getTime() / 1000);
    return new SignJWT({ iss: kind.issuer, aud: kind.audience, sub: sessionId })
      .setProtectedHeader({ alg, kid, typ: kind.typ })
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + sessionLifetimeSeconds)
      .sign(jwk);
  };

  const verify = async (token: string) => {
    const verified = await verifySignedToken(token, { kind, findKey: keys.find, now: clock() });
    return verified.ok ? readClaims(verified.value) : verified;
  };

  return { issue, verify };
};

const readClaims = ({ sub, iat, exp }: JsonObject): Outcome<Session, TokenRefusal> =>
  typeof sub === 'string' && sub !== ''
    ? succeed({ id: sub, issuedAt: toDate(iat), expiresAt: toDate(exp) })
    : refuse('wrong-claims');

const toDate = (seconds: JsonValue | undefined) => new Date(Number(seconds) * 1000);
