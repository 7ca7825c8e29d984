import { SignJWT } from 'jose/jwt/sign';
import type { Outcome } from '../domain/outcome.ts';
import { refuse, succeed } from '../domain/outcome.ts';
import type { JsonObject } from '../domain/transaction.ts';
import type { Clock } from '../runtime/clock.ts';
import type { TokenKind, TokenRefusal } from './signed-token.ts';
import { verifySignedToken } from './signed-token.ts';
import type { SigningKeys } from './signing-keys.ts';

/** As long as an untouched transaction lives (V1-5). */
const lifetimeSeconds = 30 * 24 * 60 * 60;

export type SessionClaims = { sessionId: string; issuedAtSeconds: number; expiresAtSeconds: number };

export type SessionTokens = {
  issue: (sessionId: string) => Promise<string>;
  verify: (token: string) => Promise<Outcome<SessionClaims, TokenRefusal>>;
};

export type SessionTokenDeps = { keys: SigningKeys; baseUrl: string; clock: Clock };

/** Tokens of V1 sessions (V1-5): own type, issuer, audience and key, so that neither API takes the other's (J-12). */
export const createSessionTokens = ({ keys, baseUrl, clock }: SessionTokenDeps): SessionTokens => {
  const kind: TokenKind = { typ: 'session+jwt', issuer: baseUrl, audience: `${baseUrl}/api` };

  const issue = async (sessionId: string) => {
    const { kid, alg, key } = await keys.active();
    const issuedAt = Math.floor(clock().getTime() / 1000);
    return new SignJWT({ iss: kind.issuer, aud: kind.audience, sub: sessionId })
      .setProtectedHeader({ alg, kid, typ: kind.typ })
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .sign(key);
  };

  const verify = async (token: string) => {
    const verified = await verifySignedToken(token, { kind, findKey: keys.find, now: clock() });
    return verified.ok ? readClaims(verified.value) : verified;
  };

  return { issue, verify };
};

const readClaims = ({ sub, iat, exp }: JsonObject): Outcome<SessionClaims, TokenRefusal> =>
  typeof sub === 'string' && sub !== ''
    ? succeed({ sessionId: sub, issuedAtSeconds: Number(iat), expiresAtSeconds: Number(exp) })
    : refuse('wrong-claims');

/** Only then is a new token given out for the same session (V1-5). */
export const isInLastHalf = ({ issuedAtSeconds, expiresAtSeconds }: SessionClaims, now: Date) =>
  now.getTime() / 1000 >= (issuedAtSeconds + expiresAtSeconds) / 2;
