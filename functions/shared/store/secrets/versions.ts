import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { isWithoutValue, type SecretStore } from './secrets.ts';

/** Secrets and their versions, for the function that rotates them. */
export type VersionedSecrets = Pick<SecretStore, 'read'> & {
  /** Undefined while the version has no text. */
  readVersion: (secretId: string, version: string) => Promise<string | undefined>;
  /** Writes the text of a rotation's version. A repetition has no effect. */
  writePending: (secretId: string, version: string, text: string) => Promise<void>;
  /** Makes the version the one that `read` returns. False if it was that before, and a later one has replaced it. */
  makeCurrent: (secretId: string, version: string) => Promise<boolean>;
};

/** The versions in Secrets Manager. */
export const createVersions = (client: SecretsManagerClient): Omit<VersionedSecrets, 'read'> => ({
  readVersion: async (secretId, version) => {
    try {
      const { SecretString } = await client.send(
        new GetSecretValueCommand({ SecretId: secretId, VersionId: version }),
      );
      return SecretString;
    } catch (error) {
      if (isWithoutValue(error)) return undefined;
      throw error;
    }
  },
  writePending: async (secretId, version, text) => {
    await client.send(
      new PutSecretValueCommand({
        SecretId: secretId,
        SecretString: text,
        ClientRequestToken: version,
        VersionStages: ['AWSPENDING'],
      }),
    );
  },
  makeCurrent: async (secretId, version) => {
    const stages = await stagesOf(client, secretId);
    const current = Object.keys(stages).find((one) => stages[one]?.includes('AWSCURRENT'));
    if (current === version) return true;
    if (!stages[version]?.includes('AWSPENDING')) return false;
    await client.send(
      new UpdateSecretVersionStageCommand({
        SecretId: secretId,
        VersionStage: 'AWSCURRENT',
        MoveToVersionId: version,
        ...(current !== undefined && { RemoveFromVersionId: current }),
      }),
    );
    return true;
  },
});

/** `AWSPENDING` stays on the version of a rotation until the next one begins. */
const stagesOf = async (client: SecretsManagerClient, secretId: string) => {
  const { VersionIdsToStages = {} } = await client.send(new DescribeSecretCommand({ SecretId: secretId }));
  return VersionIdsToStages;
};
