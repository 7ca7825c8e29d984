import type { JWK } from 'jose';
import { type KeyRing, type PublicJwk, signersAt } from '../domain/keys/key-ring.ts';
import type { Clock } from '../runtime/clock.ts';
import type { ReadRing } from '../store/keys/ring-reader.ts';
import type { ReadSecret } from '../store/secrets/secrets.ts';
import { createKeySet, type FindKey } from './verification-key.ts';

export type SigningKey = { kid: string; alg: string; jwk: JWK };

export type SigningKeys = {
  /** The key to sign with now. */
  active: () => Promise<SigningKey>;
  /** The public half of any valid key, for a service that verifies its own tokens. */
  find: FindKey;
};

/**
 * The keys of a secret, `{"keys": [private JWKs]}`. Undefined for anything else, for example a generated placeholder.
 */
export const parsePrivateKeys = (text: string): JWK[] | undefined => {
  try {
    const { keys } = JSON.parse(text) ?? {};
    return Array.isArray(keys) && keys.length > 0 && keys.every((key) => key?.kid && key.alg)
      ? keys
      : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Allow list of the members that may be published (M-06): those of RSA and elliptic curve keys without the private
 * ones.
 */
export const toPublicJwk = ({ kty, kid, use, alg, n, e, crv, x, y }: JWK): PublicJwk => {
  const members = kty === 'RSA' ? { kty, kid, use, alg, n, e } : { kty, kid, use, alg, crv, x, y };
  if (!kid || !alg) throw new Error(`A key has no ${kid ? 'alg' : 'kid'}`);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as PublicJwk;
};

/** Signs with the key that the ring names for this time, if the secret has its private half (M-08). */
export const createSigningKeys = (deps: {
  readRing: ReadRing;
  readSecret: ReadSecret;
  clock: Clock;
  /** Called if there is no key to sign with. */
  onFault: (fault: unknown) => void;
}): SigningKeys => {
  const privateKeys = createPrivateKeys(deps.readSecret);
  return {
    active: async () => {
      try {
        const [key] = await heldSigners(await deps.readRing(), deps.clock().getTime(), privateKeys);
        if (!key) throw new Error('The secret holds no signing keys');
        return key;
      } catch (fault) {
        deps.onFault(fault);
        throw fault;
      }
    },
    find: createKeySet(deps),
  };
};

/**
 * Tries keys in the order of preference. If the cached secret lacks a key, it is read again. If the key is still
 * missing, the next key of the ring signs, and never a key that the ring does not name (M-10).
 */
const heldSigners = async (ring: KeyRing, nowMs: number, privateKeys: PrivateKeys): Promise<SigningKey[]> => {
  const kids = signersAt(ring, nowMs).map(({ kid }) => kid);
  const held = await privateKeys(kids[0]);
  return kids.flatMap((kid) => held.get(kid) ?? []);
};

/** The private keys of a secret by id. Reads the secret again if this id is missing. */
type PrivateKeys = (wanted: string | undefined) => Promise<ReadonlyMap<string, SigningKey>>;

/** Parses a text once, so that each key is imported once. */
const createPrivateKeys = (readSecret: ReadSecret): PrivateKeys => {
  let held: { text: string; keys: ReadonlyMap<string, SigningKey> } | undefined;
  const keysOf = (text: string) => {
    if (held?.text !== text) held = { text, keys: signingKeysOf(text) };
    return held.keys;
  };
  return async (wanted) =>
    keysOf(await readSecret((text) => wanted === undefined || keysOf(text).has(wanted)));
};

const signingKeysOf = (text: string) =>
  new Map(
    (parsePrivateKeys(text) ?? []).map((jwk): [string, SigningKey] => {
      const { kid, alg } = toPublicJwk(jwk);
      return [kid, { kid, alg, jwk }];
    }),
  );
