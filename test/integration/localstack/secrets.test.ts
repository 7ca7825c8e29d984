import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DescribeSecretCommand,
  GetRandomPasswordCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { type SecretsServer, startSecretsServer } from '../../../localstack/secretsmanager/server.ts';
import { settingsFor } from '../../support/engine/engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
const file = join(folder, 'secrets.json');
const declared = [
  { id: 'Pepper', name: 'pepper', arn: 'arn:pepper', generated: { length: 64, punctuation: false } },
  { id: 'Keys', name: 'keys', arn: 'arn:keys' },
];
const running: SecretsServer[] = [];
const told: string[] = [];
type RotationFunction = (event: { Step: string; ClientRequestToken: string }) => Promise<void>;
/** What the rotation function does; a test puts its own here. */
const rotates = {
  by: (async () => {}) as RotationFunction,
  invoke: async (event: unknown) => {
    try {
      await rotates.by(event as Parameters<RotationFunction>[0]);
      return { ok: true as const, value: 'null' };
    } catch (error) {
      return { ok: false as const, reason: `threw ${error}` as const };
    }
  },
};

const start = async () => {
  const server = await startSecretsServer(file, declared);
  running.push(server);
  server.rotateBy({
    rotations: [{ secretArn: 'arn:pepper', functionId: 'Rotate' }],
    functions: new Map([['Rotate', { name: 'rotate-keys', logFile: 'the log', invoke: rotates.invoke }]]),
    warn: (sentence) => told.push(sentence),
  });
  return new SecretsManagerClient(settingsFor(server.endpoint));
};
const secretText = async (client: SecretsManagerClient, SecretId: string) =>
  (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString;

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('secrets of the embedded stage', () => {
  test('an unknown secret, an unknown operation and a rotation that no function does are refused by name', async () => {
    const client = await start();

    await expect(secretText(client, 'nope')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(client.send(new GetRandomPasswordCommand({}))).rejects.toThrow(
      'The local stage does not know secretsmanager.GetRandomPassword.',
    );
    await expect(client.send(new RotateSecretCommand({ SecretId: 'keys' }))).rejects.toMatchObject({
      name: 'InvalidRequestException',
      message: 'No Lambda rotation function ARN is associated with this secret.',
    });
  });

  const stagesOf = async (client: SecretsManagerClient, SecretId: string) =>
    (await client.send(new DescribeSecretCommand({ SecretId }))).VersionIdsToStages;
  const put = (client: SecretsManagerClient, id: string, value: string, ...VersionStages: string[]) =>
    client.send(
      new PutSecretValueCommand({
        SecretId: 'arn:pepper',
        ClientRequestToken: id,
        SecretString: value,
        ...(VersionStages.length > 0 && { VersionStages }),
      }),
    );
  const [one, two] = ['1'.repeat(32), '2'.repeat(32)] as [string, string];
  const settled = async (client: SecretsManagerClient, id: string, stages: string[]) => {
    while (JSON.stringify((await stagesOf(client, 'arn:pepper'))?.[id]) !== JSON.stringify(stages));
  };

  test('a pending version is read only by its id, until the label AWSCURRENT moves to it', async () => {
    const client = await start();
    await put(client, one, 'first');
    await put(client, two, 'second', 'AWSPENDING');
    const byId = new GetSecretValueCommand({ SecretId: 'arn:pepper', VersionId: two });

    expect([await secretText(client, 'arn:pepper'), (await client.send(byId)).SecretString]).toEqual([
      'first',
      'second',
    ]);
    const move = { SecretId: 'arn:pepper', VersionStage: 'AWSCURRENT', MoveToVersionId: two };
    await expect(client.send(new UpdateSecretVersionStageCommand(move))).rejects.toMatchObject({
      name: 'InvalidParameterException',
    });
    await client.send(new UpdateSecretVersionStageCommand({ ...move, RemoveFromVersionId: one }));

    expect(await secretText(client, 'arn:pepper')).toBe('second');
    expect(await stagesOf(client, 'arn:pepper')).toEqual({
      [one]: ['AWSPREVIOUS'],
      [two]: ['AWSPENDING', 'AWSCURRENT'],
    });
  });

  test('a version is written once: another text is refused; the file is for its owner only', async () => {
    const client = await start();
    await put(client, two, 'second', 'AWSPENDING');

    await expect(put(client, two, 'third')).rejects.toMatchObject({ name: 'ResourceExistsException' });
    expect(await secretText(client, 'arn:pepper')).toBe('second');
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  });

  test('a rotation answers at once and calls the function for each of its four steps, with an empty version', async () => {
    const client = await start();
    const seen: string[] = [];
    const id = '3'.repeat(32);
    rotates.by = async ({ Step, ClientRequestToken }) => {
      seen.push(`${Step} ${JSON.stringify((await stagesOf(client, 'arn:pepper'))?.[ClientRequestToken])}`);
      if (Step === 'createSecret') await put(client, ClientRequestToken, 'third', 'AWSPENDING');
      const move = {
        SecretId: 'arn:pepper',
        VersionStage: 'AWSCURRENT',
        MoveToVersionId: ClientRequestToken,
      };
      if (Step === 'finishSecret')
        await client.send(new UpdateSecretVersionStageCommand({ ...move, RemoveFromVersionId: two }));
    };

    const answer = await client.send(new RotateSecretCommand({ SecretId: 'pepper', ClientRequestToken: id }));
    await settled(client, id, ['AWSPENDING', 'AWSCURRENT']);

    expect(answer).toMatchObject({ ARN: 'arn:pepper', Name: 'pepper', VersionId: id });
    expect(seen).toEqual(
      ['createSecret', 'setSecret', 'testSecret', 'finishSecret'].map((step) => `${step} ["AWSPENDING"]`),
    );
    const described = await client.send(new DescribeSecretCommand({ SecretId: 'pepper' }));
    expect(described).toMatchObject({
      RotationEnabled: true,
      RotationLambdaARN: 'arn:aws:lambda:eu-west-2:000000000000:function:Rotate',
    });
  });

  test('a rotation that failed is told, and asking for another one tries that one again', async () => {
    const client = await start();
    const [failed, other] = ['4'.repeat(32), '5'.repeat(32)];
    const asked: string[] = [];
    rotates.by = async ({ ClientRequestToken }) => {
      asked.push(ClientRequestToken);
      throw new Error('no');
    };
    const rotate = (ClientRequestToken: string) =>
      client.send(new RotateSecretCommand({ SecretId: 'pepper', ClientRequestToken }));
    await rotate(failed);
    while (told.length < 1) await stagesOf(client, 'pepper');

    await expect(rotate(other)).rejects.toMatchObject({
      name: 'InvalidRequestException',
      message: "A previous rotation isn't complete. That rotation will be reattempted.",
    });
    while (told.length < 2) await stagesOf(client, 'pepper');

    expect(asked).toEqual([failed, failed]);
    expect(told[0]).toBe(
      'rotate-keys, for createSecret: the function threw Error: no. The cause is in the log',
    );
  });
});
