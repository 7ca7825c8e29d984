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
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type SecretsServer, startSecretsServer } from '../../../localstack/secretsmanager/server.ts';
import { settingsFor } from '../../support/engine/engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
const file = join(folder, 'secrets.json');
const declared = [
  { id: 'Pepper', name: 'pepper', arn: 'arn:pepper', generated: { length: 64, punctuation: false } },
  { id: 'Keys', name: 'keys', arn: 'arn:keys' },
];
let server: SecretsServer;
let client: SecretsManagerClient;
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

beforeEach(async () => {
  server = await startSecretsServer(file, declared);
  server.rotateBy({
    rotations: [{ secretArn: 'arn:pepper', functionId: 'Rotate' }],
    functions: new Map([['Rotate', { name: 'rotate-keys', logFile: 'the log', invoke: rotates.invoke }]]),
    warn: (sentence) => told.push(sentence),
  });
  client = new SecretsManagerClient(settingsFor(server.endpoint));
});
afterEach(async () => {
  client.destroy();
  await server.stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('secrets of the embedded stage', () => {
  test('an unknown secret, an unknown operation and a rotation that no function does are refused by name', async () => {
    await expect(textOf('nope')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(client.send(new GetRandomPasswordCommand({}))).rejects.toThrow(
      'The local stage does not know secretsmanager.GetRandomPassword.',
    );
    await expect(client.send(new RotateSecretCommand({ SecretId: 'keys' }))).rejects.toMatchObject({
      name: 'InvalidRequestException',
      message: 'No Lambda rotation function ARN is associated with this secret.',
    });
  });

  const textOf = async (SecretId: string, VersionId?: string) =>
    (await client.send(new GetSecretValueCommand({ SecretId, VersionId }))).SecretString;
  const described = () => client.send(new DescribeSecretCommand({ SecretId: 'pepper' }));
  const stages = async () => (await described()).VersionIdsToStages;
  const put = (ClientRequestToken: string, SecretString: string, ...VersionStages: string[]) =>
    client.send(
      new PutSecretValueCommand({
        ...{ SecretId: 'arn:pepper', ClientRequestToken, SecretString },
        ...(VersionStages.length > 0 && { VersionStages }),
      }),
    );
  const moveTo = (MoveToVersionId: string, RemoveFromVersionId?: string) =>
    client.send(
      new UpdateSecretVersionStageCommand({
        ...{ SecretId: 'arn:pepper', VersionStage: 'AWSCURRENT', MoveToVersionId, RemoveFromVersionId },
      }),
    );
  const rotate = (ClientRequestToken: string) =>
    client.send(new RotateSecretCommand({ SecretId: 'pepper', ClientRequestToken }));
  const [one = '', two = '', three = '', failed = '', other = ''] = ['1', '2', '3', '4', '5'].map((digit) =>
    digit.repeat(32),
  );

  test('a pending version is read only by its id, until the label AWSCURRENT moves to it', async () => {
    await put(one, 'first');
    await put(two, 'second', 'AWSPENDING');

    expect([await textOf('arn:pepper'), await textOf('arn:pepper', two)]).toEqual(['first', 'second']);
    await expect(moveTo(two)).rejects.toMatchObject({ name: 'InvalidParameterException' });
    await moveTo(two, one);

    expect(await textOf('arn:pepper')).toBe('second');
    expect(await stages()).toEqual({
      [one]: ['AWSPREVIOUS'],
      [two]: ['AWSPENDING', 'AWSCURRENT'],
    });
  });

  test('a version is written once: another text is refused; the file is for its owner only', async () => {
    await put(two, 'second', 'AWSPENDING');

    await expect(put(two, 'third')).rejects.toMatchObject({ name: 'ResourceExistsException' });
    expect(await textOf('arn:pepper')).toBe('second');
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  });

  test('a rotation answers at once and calls the function for each of its four steps, with an empty version', async () => {
    const seen: string[] = [];
    rotates.by = async ({ Step, ClientRequestToken }) => {
      seen.push(`${Step} ${JSON.stringify((await stages())?.[ClientRequestToken])}`);
      if (Step === 'createSecret') await put(ClientRequestToken, 'third', 'AWSPENDING');
      if (Step === 'finishSecret') await moveTo(ClientRequestToken, two);
    };

    const answer = await rotate(three);
    while ((await stages())?.[three]?.join() !== 'AWSPENDING,AWSCURRENT');

    expect(answer).toMatchObject({ ARN: 'arn:pepper', Name: 'pepper', VersionId: three });
    expect(seen).toEqual(
      ['createSecret', 'setSecret', 'testSecret', 'finishSecret'].map((step) => `${step} ["AWSPENDING"]`),
    );
    expect(await described()).toMatchObject({
      RotationEnabled: true,
      RotationLambdaARN: 'arn:aws:lambda:eu-west-2:000000000000:function:Rotate',
    });
  });

  test('a rotation that failed is told, and asking for another one tries that one again', async () => {
    const asked: string[] = [];
    rotates.by = async ({ ClientRequestToken }) => {
      asked.push(ClientRequestToken);
      throw new Error('no');
    };
    await rotate(failed);
    while (told.length < 1) await stages();

    await expect(rotate(other)).rejects.toMatchObject({
      name: 'InvalidRequestException',
      message: "A previous rotation isn't complete. That rotation will be reattempted.",
    });
    while (told.length < 2) await stages();

    expect(asked).toEqual([failed, failed]);
    expect(told[0]).toBe(
      'rotate-keys, for createSecret: the function threw Error: no. The cause is in the log',
    );
  });
});
