import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  GetRandomPasswordCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { type SecretsServer, startSecretsServer } from '../../../localstack/secretsmanager/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
const file = join(folder, 'secrets.json');
const declared = [
  { id: 'Pepper', name: 'pepper', arn: 'arn:pepper', generated: { length: 64, punctuation: false } },
  { id: 'Keys', name: 'keys', arn: 'arn:keys' },
];
const running: SecretsServer[] = [];

const start = async () => {
  const server = await startSecretsServer(file, declared);
  running.push(server);
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  return new SecretsManagerClient({
    endpoint: server.endpoint,
    region: 'eu-west-2',
    credentials,
    maxAttempts: 1,
  });
};
const secretText = async (client: SecretsManagerClient, SecretId: string) =>
  (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString;

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('secrets of the embedded stage', () => {
  test('a generated secret is drawn once and outlives a restart', async () => {
    const drawn = await secretText(await start(), 'arn:pepper');

    expect(drawn).toMatch(/^[A-Za-z0-9]{64}$/);
    expect(await secretText(await start(), 'pepper')).toBe(drawn);
  });

  test('a secret without a value says so, and a value that is put outlives a restart', async () => {
    const client = await start();

    await expect(secretText(client, 'arn:keys')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await client.send(new PutSecretValueCommand({ SecretId: 'arn:keys', SecretString: '{"keys":[]}' }));

    expect(await secretText(await start(), 'arn:keys')).toBe('{"keys":[]}');
  });

  test('the file is for its owner only', async () => {
    await start();

    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveLength(2);
  });

  test('an unknown secret and an unknown operation are refused by name', async () => {
    const client = await start();

    await expect(secretText(client, 'nope')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(client.send(new GetRandomPasswordCommand({}))).rejects.toThrow(
      'The local stage does not know secretsmanager.GetRandomPassword.',
    );
  });
});
