import type { KeyKind } from '../domain/keys/key-ring.ts';
import type { RotationTimes } from '../domain/keys/rotation.ts';
import { sessionLifetimeSeconds } from '../domain/session.ts';
import { accessTokenSeconds } from './access-token.ts';

/** How long caches may keep the key set (M-07). */
export const keySetMaxAgeSeconds = 300;

/**
 * The key set is at most 20 s old when it is answered, and so is every ring: 300 + 20 + 20 s, and a reserve of the same
 * size (M-08).
 */
const publishedMs = 600_000;

/**
 * A removed key is gone everywhere after this time: a ring is cached for 20 s, and the longest request takes 29 s
 * (M-10).
 */
export const removalHoldsAfterSeconds = 60;

/** The difference between the clocks of two machines, and the time until the last signer knows its successor. */
const reserveSeconds = 60 + 60;

/** When keys of each kind begin to sign, and when they retire (M-08, M-09). */
export const rotationTimes: Record<KeyKind, RotationTimes> = {
  access: { publishedMs, verifiesForMs: (accessTokenSeconds + reserveSeconds) * 1000 },
  session: { publishedMs, verifiesForMs: (sessionLifetimeSeconds + reserveSeconds) * 1000 },
  pepper: { publishedMs },
};
