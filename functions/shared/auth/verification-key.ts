import { type PublicJwk, verifiersAt } from '../domain/keys/key-ring.ts';
import type { Clock } from '../runtime/clock.ts';
import type { ReadRing } from '../store/keys/ring-reader.ts';

/** A public key and the one algorithm it is for (J-13). jose imports a JWK when it is first used, and once. */
export type VerificationKey = { alg: string; jwk: PublicJwk };

export type FindKey = (kid: string | undefined) => Promise<VerificationKey | undefined>;

/** Finds keys in a published ring, never where a token points to; a retired or removed one is none (M-10). */
export const createKeySet =
  ({ readRing, clock }: { readRing: ReadRing; clock: Clock }): FindKey =>
  async (kid) => {
    if (kid === undefined) return undefined;
    const verifiers = verifiersAt(await readRing(), clock().getTime());
    const jwk = verifiers.find((entry) => entry.kid === kid)?.jwk;
    return jwk && { alg: jwk.alg, jwk };
  };
