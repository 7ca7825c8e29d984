import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { cached } from '../../runtime/cached.ts';
import type { Clock } from '../../runtime/clock.ts';

/** Texts held in Secrets Manager: private keys and the pepper. */
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

/** A secret that was created without a value is not found when it is read. */
export const isWithoutValue = (error: unknown) =>
  error instanceof Error && error.name === 'ResourceNotFoundException';

/** Long enough that requests do not pay for it (TH-26); which of its keys counts is said by the ring, not by the secret. */
const keptForMs = 5 * 60_000;

/** A text that lacks what is looked for is read again, this often at most. */
const rereadAfterMs = 10_000;

/** The text of one secret; `isEnough` says whether what is kept of it will do, or whether it should be read again. */
export type ReadSecret = (isEnough?: (text: string) => boolean) => Promise<string>;

/** One secret, read when first needed and then kept in the process. */
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
