import type { CryptoKey, JWTVerifyGetKey } from 'jose';
import { JOSENotSupported, JWKSMultipleMatchingKeys, JWKSNoMatchingKey } from 'jose/errors';
import { createRemoteJWKSet, customFetch } from 'jose/jwks/remote';
import { cached } from '../shared/runtime/cached.ts';
import type { Clock } from '../shared/runtime/clock.ts';

/** The identity provider returned no key set, so the token cannot be verified. */
export class KeySetUnavailable extends Error {
  override name = 'KeySetUnavailable';
}

/** The keys of an issuer: a function that finds the key of a token. */
export type KeySetOf = (issuer: string) => JWTVerifyGetKey;

/** A sign-in waits for at most two requests to the identity provider. */
const productionLimits = { timeoutMs: 3_000 };

const configurationKeptMs = 60 * 60_000;

/** After a failed request, none is made for this time, so that nobody waits for a provider that is down. */
const failedForMs = 10_000;

/**
 * The key sets of issuers, found by OpenID Connect Discovery 1.0 section 4. jose caches each for ten minutes, and reads
 * it again for an unknown `kid`, at most every 30 s (TH-12).
 */
export const createKeySets = (clock: Clock, { timeoutMs } = productionLimits): KeySetOf => {
  const known = new Map<string, () => Promise<JWTVerifyGetKey>>();
  return (issuer) => async (header, token) => {
    const keySet = known.get(issuer) ?? openKeySet(issuer, { clock, timeoutMs });
    known.set(issuer, keySet);
    try {
      const findKey = await keySet();
      return strong(await findKey(header, token));
    } catch (error) {
      throw isAboutToken(error) ? error : new KeySetUnavailable(undefined, { cause: error });
    }
  };
};

/** The key set has no key, or several, for this token. */
const isAboutToken = (error: unknown) =>
  [JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported].some((kind) => error instanceof kind);

/** RFC 7518 section 3.3: jose accepts no smaller RSA key. The provider is at fault. */
const strong = <Key extends Awaited<ReturnType<JWTVerifyGetKey>>>(key: Key): Key => {
  const { modulusLength = 2048 } = (key as CryptoKey).algorithm as { modulusLength?: number };
  if (modulusLength < 2048) throw new Error('A key of the provider is too small');
  return key;
};

type Limits = { clock: Clock; timeoutMs: number };

const openKeySet = (issuer: string, { clock, timeoutMs }: Limits) => {
  const get = withRest(clock);
  return cached(() => discover(issuer, { get, timeoutMs }), { forMs: configurationKeptMs, clock });
};

/** A fetch that, after a failure, fails at once for a while. */
const withRest = (clock: Clock): typeof fetch => {
  let restsUntilMs = 0;
  return async (address, options) => {
    if (clock().getTime() < restsUntilMs) throw new Error('The provider failed a moment ago');
    try {
      const response = await fetch(address, options);
      if (response.status === 200) return response;
      throw new Error(`The provider answered with ${response.status}`);
    } catch (error) {
      restsUntilMs = clock().getTime() + failedForMs;
      throw error;
    }
  };
};

const discover = async (
  issuer: string,
  { get, timeoutMs }: { get: typeof fetch; timeoutMs: number },
): Promise<JWTVerifyGetKey> => {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await get(address, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  const { issuer: named, jwks_uri } = (await response.json()) as Record<string, unknown>;
  const keySet = new URL(String(jwks_uri));
  if (named !== issuer) throw new Error('The configuration is of another issuer');
  if (keySet.protocol !== new URL(issuer).protocol)
    throw new Error('The key set is less protected than its issuer');
  return createRemoteJWKSet(keySet, { timeoutDuration: timeoutMs, [customFetch]: get });
};
