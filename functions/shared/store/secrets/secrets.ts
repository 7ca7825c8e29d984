import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { cached } from '../../runtime/cached.ts';
import type { Clock } from '../../runtime/clock.ts';

/** Texts in Secrets Manager: private keys and the pepper. */
export type SecretStore = {
  /** Undefined while nothing was ever written to it. */
  read: (secretId: string) => Promise<string | undefined>;
  write: (secretId: string, text: string) => Promise<void>;
};

export const createSecretStore = (client: SecretsManagerClient): SecretStore => ({
  read: async (secretId) => {
    try {
      return (await client.send(new GetSecretValueCommand({ SecretId: secretId }))).SecretString;
    } catch (error) {
      if (isWithoutValue(error)) return undefined;
      throw error;
    }
  },
  write: async (secretId, text) => {
    await client.send(new PutSecretValueCommand({ SecretId: secretId, SecretString: text }));
  },
});

/** Secrets Manager answers "not found" for a secret without a value. */
export const isWithoutValue = (error: unknown) =>
  error instanceof Error && error.name === 'ResourceNotFoundException';

/** So long that requests rarely wait for it (TH-26). The ring, not the secret, says which of its keys count. */
const keptForMs = 5 * 60_000;

/** The shortest time between two reads of a text that lacks a wanted key. */
const rereadAfterMs = 10_000;

/** The text of one secret. `isEnough` says whether the cached text will do, or must be read again. */
export type ReadSecret = (isEnough?: (text: string) => boolean) => Promise<string>;

/** One secret, read at its first use and then cached by the process. */
export const createSecretReader = (store: SecretStore, secretId: string, clock: Clock): ReadSecret => {
  const read = () => readExisting(store, secretId);
  const fresh = cached(read, { forMs: rereadAfterMs, clock });
  let kept = cached(fresh, { forMs: keptForMs, clock });
  return async (isEnough = () => true) => {
    const text = await kept();
    if (isEnough(text)) return text;
    const newer = await fresh();
    if (newer !== text) kept = cached(fresh, { forMs: keptForMs, clock });
    return newer;
  };
};

const readExisting = async (store: SecretStore, secretId: string) => {
  const text = await store.read(secretId);
  if (text === undefined) throw new Error('The secret holds no text');
  return text;
};
