import type { JWK } from 'jose';
import { cached } from '../runtime/cached.ts';
import type { Clock } from '../runtime/clock.ts';

/** A public key and the one algorithm it is for (J-13). jose imports a JWK when it is first used, and once. */
export type VerificationKey = { alg: string; jwk: JWK };

export type FindKey = (kid: string | undefined) => Promise<VerificationKey | undefined>;

/** Keys by their id. */
export const verificationKeys = (jwks: readonly JWK[]): ReadonlyMap<string, VerificationKey> =>
  new Map(jwks.map((jwk) => [required(jwk, 'kid'), { alg: required(jwk, 'alg'), jwk }]));

const required = (jwk: JWK, name: 'kid' | 'alg') => {
  const value = jwk[name];
  if (!value) throw new Error(`A key has no ${name}`);
  return value;
};

/** A removed key stops working this soon. */
const keptForMs = 60_000;

/** Finds keys in a published set, never where a token points to. A flood of unknown key ids loads it no more often (TH-12). */
export const createKeySet = ({
  load,
  clock,
}: {
  load: () => Promise<readonly JWK[]>;
  clock: Clock;
}): FindKey => {
  const keys = cached(async () => verificationKeys(await load()), { forMs: keptForMs, clock });
  return async (kid) => (kid === undefined ? undefined : (await keys()).get(kid));
};
