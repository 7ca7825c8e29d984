import type { JWK } from 'jose';
import { type FindKey, type VerificationKey, verificationKeys } from './verification-key.ts';

/** A secret of keys as stored: `{"keys": [private JWKs with kid, alg, use], "active": kid}`. */
export type PrivateKeys = { keys: JWK[]; active: string };

export type SigningKey = { kid: string; alg: string; jwk: JWK };

export type SigningKeys = {
  /** The key to sign with now. */
  active: () => Promise<SigningKey>;
  /** The public half of any of them, for a service that verifies what it signed. */
  find: FindKey;
};

/** The text as private keys, or undefined when it is something else, e.g. a generated placeholder. */
export const parsePrivateKeys = (text: string): PrivateKeys | undefined => {
  try {
    const { keys, active } = JSON.parse(text) ?? {};
    return Array.isArray(keys) && keys.some(({ kid }) => kid === active) ? { keys, active } : undefined;
  } catch {
    return undefined;
  }
};

/** Allow list of what may be published (M-06): RSA and elliptic curve members without the private ones. */
export const toPublicJwk = ({ kty, kid, use, alg, n, e, crv, x, y }: JWK): JWK =>
  kty === 'RSA' ? pick({ kty, kid, use, alg, n, e }) : pick({ kty, kid, use, alg, crv, x, y });

const pick = (members: Record<string, string | undefined>): JWK =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JWK;

/** Keys of a secret, read anew when its text has changed. */
export const createSigningKeys = (readSecret: () => Promise<string>): SigningKeys => {
  let held: { text: string; keys: KeyRing } | undefined;
  const current = async () => {
    const text = await readSecret();
    if (held?.text !== text) held = { text, keys: toKeyRing(text) };
    return held.keys;
  };
  return {
    active: async () => (await current()).active,
    find: async (kid) => (kid === undefined ? undefined : (await current()).published.get(kid)),
  };
};

type KeyRing = { active: SigningKey; published: ReadonlyMap<string, VerificationKey> };

const toKeyRing = (text: string): KeyRing => {
  const ring = parsePrivateKeys(text);
  const jwk = ring?.keys.find(({ kid }) => kid === ring.active);
  if (!ring || !jwk?.alg) throw new Error('The secret holds no signing keys');
  return {
    active: { kid: ring.active, alg: jwk.alg, jwk },
    published: verificationKeys(ring.keys.map(toPublicJwk)),
  };
};
