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
const isWithoutValue = (error: unknown) =>
  error instanceof Error && error.name === 'ResourceNotFoundException';

/** Short enough for a rotation, long enough that requests do not pay for it (TH-26). */
const keptForMs = 5 * 60_000;

/** One secret, read when first needed and then kept in the process. */
export const createSecretReader = (store: SecretStore, secretId: string, clock: Clock) =>
  cached(() => readExisting(store, secretId), { forMs: keptForMs, clock });

const readExisting = async (store: SecretStore, secretId: string) => {
  const text = await store.read(secretId);
  if (text === undefined) throw new Error('The secret holds no text');
  return text;
};
