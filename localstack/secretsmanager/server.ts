import { randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type AwsResponse,
  fault,
  type Operation,
  type Operations,
  operation,
  startJsonServer,
  success,
} from '../aws/json-protocol.ts';
import type { CloudSecret } from '../cloudformation/model.ts';
import { readJsonFile, writePrivateJson } from '../data/private-json.ts';

type StoredSecret = { name: string; arn: string; createdAt: string; version?: { id: string; value: string } };
export type SecretsServer = { endpoint: string; stop: () => Promise<void> };

/** Secrets Manager on loopback, as far as our code uses it; values live in one file that only its owner may read. */
export const startSecretsServer = async (
  file: string,
  declared: readonly CloudSecret[],
): Promise<SecretsServer> => {
  const { endpoint, serve, stop } = await startJsonServer({ prefix: 'secretsmanager', version: '1.1' });
  serve(secretOperations(openVault(file, declared)));
  return { endpoint, stop };
};

type Vault = { find: (id: unknown) => StoredSecret | undefined; save: () => void };

/** Secrets keep their values from start to start; a new one with a generated value draws it once, as CloudFormation does. */
const openVault = (file: string, declared: readonly CloudSecret[]): Vault => {
  const stored = readJsonFile<StoredSecret[]>(file) ?? [];
  const save = () => writePrivateJson(file, stored);
  for (const { arn, name, generated } of declared.filter(
    ({ arn }) => !stored.some((one) => one.arn === arn),
  )) {
    const version = generated && newVersion(randomText(generated.length, generated.punctuation));
    stored.push({ name, arn, createdAt: new Date().toISOString(), ...(version && { version }) });
  }
  save();
  return { find: (id) => stored.find(({ name, arn }) => id === name || id === arn), save };
};

const newVersion = (value: string) => ({ id: randomUUID(), value });

const randomText = (length: number, withPunctuation: boolean): string => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const alphabet = withPunctuation ? `${letters}!#$%&()*+,-./:;<=>?@[]^_{|}~` : letters;
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
};

const secretOperations = (vault: Vault): Operations => {
  const onSecret = (
    perform: (secret: StoredSecret, input: Record<string, unknown>) => AwsResponse,
  ): Operation =>
    operation(named, (input) => {
      const secret = vault.find(input.SecretId);
      return secret ? perform(secret, input) : fault('ResourceNotFoundException', noSecret);
    });
  return {
    GetSecretValue: onSecret(({ arn, name, version }) => {
      if (!version) return fault('ResourceNotFoundException', noValue);
      return success({ ARN: arn, Name: name, ...versionOf(version), SecretString: version.value });
    }),
    PutSecretValue: onSecret((secret, { SecretString }) => {
      if (typeof SecretString !== 'string') {
        return fault('InvalidParameterException', 'The local stage keeps SecretString only.');
      }
      const version = newVersion(SecretString);
      secret.version = version;
      vault.save();
      return success({ ARN: secret.arn, Name: secret.name, ...versionOf(version) });
    }),
  };
};

const named = z.looseObject({ SecretId: z.string() });
const noSecret = "Secrets Manager can't find the specified secret.";
const noValue = "Secrets Manager can't find the specified secret value for staging label: AWSCURRENT";
const versionOf = ({ id }: { id: string }) => ({ VersionId: id, VersionStages: ['AWSCURRENT'] });
