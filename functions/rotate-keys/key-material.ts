import { randomUUID } from 'node:crypto';
import type { JWK } from 'jose';
import { CompactSign } from 'jose/jws/compact/sign';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { verifyCompactJws } from '../shared/auth/compact-jws.ts';
import { parsePeppers } from '../shared/auth/peppers.ts';
import { parsePrivateKeys, toPublicJwk } from '../shared/auth/signing-keys.ts';
import { type KeyKind, type KeyRing, verifiersAt } from '../shared/domain/keys/key-ring.ts';
import { type FreshKey, mayStillSign } from '../shared/domain/keys/rotation.ts';
import { type RandomBytes, randomText } from '../shared/runtime/random-text.ts';

export type Algorithm = 'RS256' | 'ES256';
export type GenerateKey = (alg: Algorithm, kid?: string) => Promise<JWK>;

/** Makes and checks the contents of a secret. */
export type KeyMaterial = {
  /** The text with a fresh key, and without the keys that the ring no longer needs. */
  withFresh: (text: string, fresh: { kid: string; ring: KeyRing; nowMs: number }) => Promise<string>;
  /** All keys of a text, as a ring publishes them. */
  keysOf: (text: string) => FreshKey[];
  /** Throws if a key of the text does not work. */
  tryOut: (text: string) => Promise<void>;
};

export type MaterialDeps = { generateKey: GenerateKey; random: RandomBytes };

/** The material of each kind of key. */
export const createMaterial = ({ generateKey, random }: MaterialDeps): Record<KeyKind, KeyMaterial> => ({
  access: signingMaterial((kid) => generateKey('RS256', kid)),
  session: signingMaterial((kid) => generateKey('ES256', kid)),
  pepper: {
    withFresh: async (text, { kid, ring, nowMs }) => {
      const kept = verifiersAt(ring, nowMs).map((entry) => entry.kid);
      const peppers = [...parsePeppers(text)].filter(([id]) => kept.includes(id));
      return pepperText(new Map([...peppers, [kid, makePepper(random)]]));
    },
    keysOf: (text) => [...parsePeppers(text).keys()].map((kid) => ({ kid })),
    tryOut: async (text) => {
      if ([...parsePeppers(text).values()].some(isTooShort)) throw new Error('A pepper is too short');
    },
  },
});

const signingMaterial = (make: (kid: string) => Promise<JWK>): KeyMaterial => ({
  withFresh: async (text, { kid, ring, nowMs }) => {
    const kept = mayStillSign(ring, nowMs).map((entry) => entry.kid);
    const keys = privateKeysOf(text).filter((key) => kept.includes(String(key.kid)));
    return keysText([...keys, await make(kid)]);
  },
  keysOf: (text) => privateKeysOf(text).map(toFreshKey),
  tryOut: async (text) => {
    for (const key of privateKeysOf(text)) await signAndVerify(key);
  },
});

const privateKeysOf = (text: string): JWK[] => {
  const keys = parsePrivateKeys(text);
  if (!keys) throw new Error('A secret holds keys that cannot be read');
  return keys;
};

const toFreshKey = (key: JWK): FreshKey => {
  const jwk = toPublicJwk(key);
  return { kid: jwk.kid, jwk };
};

/** Checks that both halves belong together, and that the service's verifier accepts the signature. */
const signAndVerify = async (key: JWK) => {
  const { kid, alg, ...jwk } = toPublicJwk(key);
  const signed = await new CompactSign(Buffer.from('{}')).setProtectedHeader({ alg, kid }).sign(key);
  const verified = await verifyCompactJws(signed, async () => ({ alg, jwk: { ...jwk, kid, alg } }));
  if (!verified.ok) throw new Error(`A key does not verify what it signs: ${verified.reason}`);
};

export const keysText = (keys: readonly JWK[]): string => JSON.stringify({ keys });
export const pepperText = (peppers: ReadonlyMap<string, string>): string =>
  JSON.stringify({ peppers: Object.fromEntries(peppers) });
export const makePepper = (random: RandomBytes): string => randomText(random, 64);

/** 32 characters of 62 are 190 bits. */
const isTooShort = (pepper: string) => pepper.length < 32;

/** A private key as JWK; RSA of 2048 bits (J-14). */
export const generateKey: GenerateKey = async (alg, kid = randomUUID()) => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' };
};
