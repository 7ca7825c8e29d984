import { firstPepperId, parsePeppers } from '../shared/auth/peppers.ts';
import { parsePrivateKeys } from '../shared/auth/signing-keys.ts';
import { firstRing, type KeyKind } from '../shared/domain/keys/key-ring.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import { randomText } from '../shared/runtime/random-text.ts';
import type { RingStore } from '../shared/store/keys/ring-store.ts';
import type { SecretStore } from '../shared/store/secrets/secrets.ts';
import {
  type Algorithm,
  createMaterial,
  keysText,
  type MaterialDeps,
  makePepper,
  pepperText,
} from './key-material.ts';

export type CreateKeysDeps = MaterialDeps & {
  secrets: SecretStore;
  rings: RingStore;
  clock: Clock;
  /** Stores the key of users' sessions, if there is none (V1-10). */
  createUserKey: () => Promise<void>;
  /** Secret ids by kind of key. */
  secretIds: Record<KeyKind, string>;
};

/**
 * Creates the keys that a secret lacks, and publishes the rings that are missing. Running it again changes nothing.
 * Each kind has two keys from the start, so that the first rotation needs no new one (TOK-3).
 */
export const ensureKeys = async (deps: CreateKeysDeps): Promise<void> => {
  await publish('access', await ensureIn(deps.secretIds.access, 'RS256', deps), deps);
  await publish('session', await ensureIn(deps.secretIds.session, 'ES256', deps), deps);
  await publish('pepper', await ensurePeppers(deps), deps);
  await deps.createUserKey();
};

/** Runs after the secret is written: a ring never names a key that no secret holds. */
const publish = async (kind: KeyKind, text: string, deps: CreateKeysDeps) => {
  if (await deps.rings.read(kind)) return;
  const keys = createMaterial(deps)[kind].keysOf(text);
  await deps.rings.replace(kind, firstRing(keys, deps.clock().getTime()));
};

const ensureIn = async (secretId: string, alg: Algorithm, deps: CreateKeysDeps): Promise<string> => {
  const text = (await deps.secrets.read(secretId)) ?? '';
  if (parsePrivateKeys(text)) return text;
  // An operator mends broken keys: new ones would invalidate every token that they signed.
  if (text.includes('"kty"')) throw new Error('A secret holds keys that cannot be read');
  const made = keysText(await Promise.all([deps.generateKey(alg), deps.generateKey(alg)]));
  await deps.secrets.write(secretId, made);
  return made;
};

/** Adds the pepper of the next rotation to the one that CloudFormation generated. */
const ensurePeppers = async ({ secrets, secretIds, random }: CreateKeysDeps): Promise<string> => {
  const text = (await secrets.read(secretIds.pepper)) ?? makePepper(random);
  const drawn = parsePeppers(text);
  if (drawn.size > 1) return text;
  const [pepper = ''] = drawn.values();
  const made = pepperText(
    new Map([
      [firstPepperId, pepper],
      [randomText(random, 8), makePepper(random)],
    ]),
  );
  await secrets.write(secretIds.pepper, made);
  return made;
};
