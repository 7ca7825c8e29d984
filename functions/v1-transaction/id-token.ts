import { JOSEError } from 'jose/errors';
import { decodeJwt } from 'jose/jwt/decode';
import { jwtVerify } from 'jose/jwt/verify';
import { isCanonicalToken } from '../shared/auth/compact-jws.ts';
import { type Outcome, refuse, succeed } from '../shared/domain/outcome.ts';
import type { IdentityProvider } from '../shared/domain/ownership/storefront.ts';
import { leewaySeconds } from '../shared/domain/token-standing.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import { type KeySetOf, KeySetUnavailable } from './key-set.ts';

/**
 * A user, by identity provider and subject. Nothing else of an ID token is used, and nothing of it is stored (V1-10).
 */
export type SignedInUser = { provider: IdentityProvider; subject: string };

type IdTokenRefusal = 'invalid-token' | 'key-set-unavailable';

export type VerifyIdToken = (
  token: string,
  providers: readonly IdentityProvider[],
) => Promise<Outcome<SignedInUser, IdTokenRefusal>>;

/**
 * Ten minutes, including the leeway between two clocks. The provider has a clock of its own, so the leeway is for `exp`,
 * too (OpenID Connect Core 1.0 section 2).
 */
const oldestSeconds = 600 - leewaySeconds;

/** OpenID Connect Core 1.0 section 2: a subject has at most 255 ASCII characters. */
const longestSubject = 255;

/** Verifies an ID token of one of these providers (OpenID Connect Core 1.0 section 3.1.3.7). */
export const createIdTokenVerifier =
  ({ keySetOf, clock }: { keySetOf: KeySetOf; clock: Clock }): VerifyIdToken =>
  async (token, providers) => {
    if (!isCanonicalToken(token)) return refuse('invalid-token');
    try {
      const provider = providerOf(token, providers);
      if (!provider) return refuse('invalid-token');
      const { issuer, audience, algorithm } = provider;
      const { payload, protectedHeader } = await jwtVerify(token, keySetOf(issuer), {
        ...{ issuer, audience, algorithms: [algorithm], requiredClaims: ['exp', 'sub'] },
        ...{ currentDate: clock(), clockTolerance: leewaySeconds, maxTokenAge: oldestSeconds },
      });
      const { sub: subject } = payload;
      const isForUs = isIdToken(protectedHeader.typ, payload) && isSubject(subject);
      return isForUs ? succeed({ provider, subject }) : refuse('invalid-token');
    } catch (error) {
      if (error instanceof KeySetUnavailable) return refuse('key-set-unavailable');
      if (error instanceof JOSEError) return refuse('invalid-token');
      throw error;
    }
  };

/** The unverified token names the provider by which it is then verified. */
const providerOf = (token: string, providers: readonly IdentityProvider[]) => {
  const { iss, aud = [], azp } = decodeJwt(token);
  const audiences = [aud].flat();
  // A token with several audiences is for the one to which it was issued (OpenID Connect Core 1.0 section 2).
  const client = audiences.length === 1 ? (azp ?? audiences[0]) : azp;
  return providers.find(({ issuer, audience }) => issuer === iss && audience === client);
};

/** Other tokens of the issuer have another type, or claims that no ID token has (RFC 8725 section 3.12). */
const isIdToken = (typ: unknown, payload: object) =>
  (typ === undefined || (typeof typ === 'string' && /^jwt$/i.test(typ))) &&
  !['events', 'scope', 'scp'].some((claim) => Object.hasOwn(payload, claim));

const isSubject = (subject: unknown): subject is string =>
  typeof subject === 'string' && subject.length > 0 && subject.length <= longestSubject;
