import { randomUUID } from 'node:crypto';
import type { JWK } from 'jose';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { firstPepperId, parsePeppers } from '../shared/auth/peppers.ts';
import { parsePrivateKeys, toPublicJwk } from '../shared/auth/signing-keys.ts';
import { firstRing, type KeyKind, type RingEntry } from '../shared/domain/keys/key-ring.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import { type RandomBytes, randomText } from '../shared/runtime/random-text.ts';
import type { RingStore } from '../shared/store/keys/ring-store.ts';
import type { SecretStore } from '../shared/store/secrets/secrets.ts';

type Algorithm = 'RS256' | 'ES256';

export type CreateKeysDeps = {
  secrets: SecretStore;
  rings: RingStore;
  generateKey: (alg: Algorithm) => Promise<JWK>;
  random: RandomBytes;
  clock: Clock;
  /** The secret of each kind. */
  secretIds: Record<KeyKind, string>;
};

/**
 * Creates keys where a secret has none, and publishes a ring where there is none. Running it again changes nothing. Two
 * keys of each kind from the first day, so that the first rotation needs no new one (TOK-3).
 */
export const ensureKeys = async (deps: CreateKeysDeps): Promise<void> => {
  await publish('access', await ensureIn(deps.secretIds.access, 'RS256', deps), deps);
  await publish('session', await ensureIn(deps.secretIds.session, 'ES256', deps), deps);
  await publish('pepper', await ensurePeppers(deps), deps);
};

type FirstKey = Pick<RingEntry, 'kid' | 'jwk'>;

/** The secret first: a ring never names a key that no secret holds. Who publishes at the same moment publishes the same. */
const publish = async (kind: KeyKind, keys: readonly FirstKey[], { rings, clock }: CreateKeysDeps) => {
  if (await rings.read(kind)) return;
  await rings.replace(kind, firstRing(keys, clock().getTime()));
};

const ensureIn = async (secretId: string, alg: Algorithm, deps: CreateKeysDeps): Promise<FirstKey[]> => {
  const text = (await deps.secrets.read(secretId)) ?? '';
  const existing = parsePrivateKeys(text);
  if (existing) return existing.map(toFirstKey);
  // Broken keys are for an operator to mend: new ones would end every token that was signed with them.
  if (text.includes('"kty"')) throw new Error('A secret holds keys that cannot be read');
  const keys = await Promise.all([deps.generateKey(alg), deps.generateKey(alg)]);
  await deps.secrets.write(secretId, JSON.stringify({ keys }));
  return keys.map(toFirstKey);
};

const toFirstKey = (key: JWK): FirstKey => {
  const jwk = toPublicJwk(key);
  return { kid: jwk.kid, jwk };
};

/** Beside the pepper that CloudFormation drew, the one that a rotation will use. */
const ensurePeppers = async ({ secrets, secretIds, random }: CreateKeysDeps): Promise<FirstKey[]> => {
  const text = await secrets.read(secretIds.pepper);
  const drawn = text === undefined ? new Map([[firstPepperId, makePepper(random)]]) : parsePeppers(text);
  if (drawn.size > 1) return toKids(drawn);
  const peppers = drawn.set(randomText(random, 8), makePepper(random));
  await secrets.write(secretIds.pepper, JSON.stringify({ peppers: Object.fromEntries(peppers) }));
  return toKids(peppers);
};

const toKids = (peppers: ReadonlyMap<string, string>) => [...peppers.keys()].map((kid) => ({ kid }));

const makePepper = (random: RandomBytes) => randomText(random, 64);

/** A private key as JWK; RSA of 2048 bits (J-14). */
export const generateKey = async (alg: Algorithm): Promise<JWK> => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), alg, use: 'sig' };
};
