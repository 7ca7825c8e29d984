import type { CryptoKey, JWK } from 'jose';
import { importJWK } from 'jose/key/import';
import type { Clock } from '../runtime/clock.ts';
import { cached } from './cached.ts';

/** A key and the one algorithm it is for (J-13). */
export type VerificationKey = { alg: string; key: CryptoKey | Uint8Array };

export type FindKey = (kid: string | undefined) => Promise<VerificationKey | undefined>;

export const importVerificationKey = async (jwk: JWK): Promise<VerificationKey> => {
  if (!jwk.alg) throw new Error(`The key ${jwk.kid ?? 'without id'} names no algorithm`);
  return { alg: jwk.alg, key: await importJWK(jwk, jwk.alg) };
};

export const importVerificationKeys = async (jwks: readonly JWK[]): Promise<Map<string, VerificationKey>> =>
  new Map(
    await Promise.all(jwks.map(async (jwk) => [kidOf(jwk), await importVerificationKey(jwk)] as const)),
  );

const kidOf = ({ kid }: JWK) => {
  if (!kid) throw new Error('A key has no id');
  return kid;
};

/** A removed key stops working this soon (M-10), and a flood of unknown key ids loads no more often (R-17, TH-12). */
const keptForMs = 60_000;

/** Finds keys in a published set that is loaded at most once in the time it is kept; never from where a token points to. */
export const createKeySet = ({
  load,
  clock,
}: {
  load: () => Promise<readonly JWK[]>;
  clock: Clock;
}): FindKey => {
  const keys = cached(async () => importVerificationKeys(await load()), { forMs: keptForMs, clock });
  return async (kid) => (kid === undefined ? undefined : (await keys()).get(kid));
};
