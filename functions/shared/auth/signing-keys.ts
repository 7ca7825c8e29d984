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
  /** The public half of any valid one, for a service that verifies what it signed. */
  find: FindKey;
};

/** The keys of a secret, `{"keys": [private JWKs]}`; undefined when it is something else, e.g. a generated placeholder. */
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

/** Allow list of what may be published (M-06): RSA and elliptic curve members without the private ones. */
export const toPublicJwk = ({ kty, kid, use, alg, n, e, crv, x, y }: JWK): PublicJwk => {
  const members = kty === 'RSA' ? { kty, kid, use, alg, n, e } : { kty, kid, use, alg, crv, x, y };
  if (!kid || !alg) throw new Error(`A key has no ${kid ? 'alg' : 'kid'}`);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as PublicJwk;
};

/** Signs with the key of the ring whose turn it is, of which the secret holds the private half (M-08). */
export const createSigningKeys = (deps: {
  readRing: ReadRing;
  readSecret: ReadSecret;
  clock: Clock;
  /** Hears of it when there is no key to sign with. */
  onFault?: (fault: unknown) => void;
}): SigningKeys => {
  const privateKeys = createPrivateKeys(deps.readSecret);
  return {
    active: async () => {
      try {
        const [key] = await heldSigners(await deps.readRing(), deps.clock().getTime(), privateKeys);
        if (!key) throw new Error('The secret holds no signing keys');
        return key;
      } catch (fault) {
        deps.onFault?.(fault);
        throw fault;
      }
    },
    find: createKeySet(deps),
  };
};

/**
 * Best first. A key that the kept secret lacks makes it read again; where that is not enough, the next best of the ring
 * signs, and never one that the ring does not hold (M-10).
 */
const heldSigners = async (ring: KeyRing, nowMs: number, privateKeys: PrivateKeys): Promise<SigningKey[]> => {
  const kids = signersAt(ring, nowMs).map(({ kid }) => kid);
  const held = await privateKeys(kids[0]);
  return kids.flatMap((kid) => held.get(kid) ?? []);
};

/** The private keys of a secret by their ids, with this one among them if it is there at all. */
type PrivateKeys = (wanted: string | undefined) => Promise<ReadonlyMap<string, SigningKey>>;

/** A text is read as keys once, so that each key is imported once. */
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
