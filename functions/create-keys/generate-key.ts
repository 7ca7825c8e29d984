import { randomUUID } from 'node:crypto';
import type { JWK } from 'jose';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';

/** A private key as JWK; RSA of 2048 bits (J-14). */
export const generateKey = async (alg: 'RS256' | 'ES256'): Promise<JWK> => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), alg, use: 'sig' };
};
