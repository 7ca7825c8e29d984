import type { JWTVerifyGetKey } from 'jose';
import { JOSENotSupported, JWKSMultipleMatchingKeys, JWKSNoMatchingKey } from 'jose/errors';
import { createRemoteJWKSet } from 'jose/jwks/remote';
import { cached } from '../shared/runtime/cached.ts';
import type { Clock } from '../shared/runtime/clock.ts';

/** The identity provider gave no key set, so that nothing is known about the token. */
export class KeySetUnavailable extends Error {
  override name = 'KeySetUnavailable';
}

/** The keys of an issuer: a function that finds the one a token is signed with. */
export type KeySetOf = (issuer: string) => JWTVerifyGetKey;

/** A sign-in waits for two requests to the identity provider at most. */
const productionLimits = { timeoutMs: 3_000 };

const configurationKeptMs = 60 * 60_000;

/**
 * The key sets of issuers, found by OpenID Connect Discovery 1.0 section 4. jose keeps each for ten minutes, and reads it
 * again for an unknown `kid`, at most every 30 s (TH-12).
 */
export const createKeySets = (clock: Clock, { timeoutMs } = productionLimits): KeySetOf => {
  const known = new Map<string, () => Promise<JWTVerifyGetKey>>();
  return (issuer) => async (header, token) => {
    const keySet =
      known.get(issuer) ?? cached(() => discover(issuer, timeoutMs), { forMs: configurationKeptMs, clock });
    known.set(issuer, keySet);
    try {
      const findKey = await keySet();
      return await findKey(header, token);
    } catch (error) {
      throw isAboutToken(error) ? error : new KeySetUnavailable(undefined, { cause: error });
    }
  };
};

/** The key set was read and has no key, or no single one, for this token. */
const isAboutToken = (error: unknown) =>
  [JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported].some((kind) => error instanceof kind);

const discover = async (issuer: string, timeoutMs: number): Promise<JWTVerifyGetKey> => {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`The configuration was answered with ${response.status}`);
  const { issuer: named, jwks_uri } = (await response.json()) as Record<string, unknown>;
  const keySet = new URL(String(jwks_uri));
  if (named !== issuer) throw new Error('The configuration is of another issuer');
  if (keySet.protocol !== new URL(issuer).protocol)
    throw new Error('The key set is less protected than its issuer');
  return createRemoteJWKSet(keySet, { timeoutDuration: timeoutMs });
};
