import type { JWK } from 'jose';
import type { Peppers } from '../../../functions/shared/auth/peppers.ts';
import { createSigningKeys, toPublicJwk } from '../../../functions/shared/auth/signing-keys.ts';
import { firstRing, type KeyRing } from '../../../functions/shared/domain/keys/key-ring.ts';

/** An old ring of these keys: the first one signs, the others are standby keys. */
export const aRing = (keys: readonly JWK[]): KeyRing =>
  firstRing(
    keys.map(toPublicJwk).map((jwk) => ({ kid: jwk.kid, jwk })),
    0,
  );

/** Signs with the first of these keys, and verifies with each. */
export const heldKeys = (keys: readonly JWK[]) =>
  createSigningKeys({
    readRing: async () => aRing(keys),
    readSecret: async () => JSON.stringify({ keys }),
    clock: () => new Date(1),
    onFault: () => {},
  });

/** One pepper, the first. */
export const onePepper = (text: string): Peppers => ({ newest: '0', texts: new Map([['0', text]]) });
