import { randomUUID } from 'node:crypto';
import type { JWK } from 'jose';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { parsePrivateKeys, toPublicJwk } from '../shared/auth/signing-keys.ts';
import type { KeyStore } from '../shared/store/partners/published-keys.ts';
import type { SecretStore } from '../shared/store/secrets/secrets.ts';

export type CreateKeysDeps = {
  secrets: SecretStore;
  keyStore: Pick<KeyStore, 'publish'>;
  generateKey: (alg: 'RS256' | 'ES256') => Promise<JWK>;
  accessKeysSecret: string;
  sessionKeysSecret: string;
};

/**
 * Creates signing keys where a secret has none, and publishes the public half of those for access tokens. Running it
 * again changes nothing. Two access keys from the first day, so that the first rotation needs no new one (TOK-3).
 */
export const ensureKeys = async (deps: CreateKeysDeps): Promise<void> => {
  const accessKeys = await ensureIn(deps.accessKeysSecret, ['RS256', 'RS256'], deps);
  await ensureIn(deps.sessionKeysSecret, ['ES256'], deps);
  await deps.keyStore.publish(accessKeys.map(toPublicJwk));
};

const ensureIn = async (
  secretId: string,
  algorithms: readonly ('RS256' | 'ES256')[],
  { secrets, generateKey }: CreateKeysDeps,
): Promise<JWK[]> => {
  const text = (await secrets.read(secretId)) ?? '';
  const existing = parsePrivateKeys(text);
  if (existing) return existing.keys;
  // Broken keys are for an operator to mend: new ones would end every token that was signed with them.
  if (text.includes('"kty"')) throw new Error('A secret holds keys that cannot be read');
  const keys = await Promise.all(algorithms.map(generateKey));
  await secrets.write(secretId, JSON.stringify({ keys, active: keys[0]?.kid }));
  return keys;
};

/** A private key as JWK; RSA of 2048 bits (J-14). */
export const generateKey = async (alg: 'RS256' | 'ES256'): Promise<JWK> => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), alg, use: 'sig' };
};
