import { type PublicJwk, verifiersAt } from '../domain/keys/key-ring.ts';
import type { Clock } from '../runtime/clock.ts';
import type { ReadRing } from '../store/keys/ring-reader.ts';

/** A public key and the one algorithm that it is for (J-13). jose imports a JWK at its first use, and only then. */
export type VerificationKey = { alg: string; jwk: PublicJwk };

export type FindKey = (kid: string | undefined) => Promise<VerificationKey | undefined>;

/**
 * Finds keys in a published ring, never at an address that the token names. Retired and removed keys are not found
 * (M-10).
 */
export const createKeySet =
  ({ readRing, clock }: { readRing: ReadRing; clock: Clock }): FindKey =>
  async (kid) => {
    if (kid === undefined) return undefined;
    const verifiers = verifiersAt(await readRing(), clock().getTime());
    const jwk = verifiers.find((entry) => entry.kid === kid)?.jwk;
    return jwk && { alg: jwk.alg, jwk };
  };
