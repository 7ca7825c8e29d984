import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type AwsServer, openAws } from '../../../localstack/embedded/aws/protocol.ts';
import { openSecrets } from '../../../localstack/embedded/aws/secrets.ts';
import type { CallOutcome } from '../../../localstack/embedded/instances.ts';
import { openState, type State } from '../../../localstack/embedded/state.ts';
import { settingsFor } from '../../support/engine/engine.ts';

type StepEvent = { Step: string; SecretId: string; ClientRequestToken: string };

let folder: string;
const file = () => join(folder, 'state.db');
let state: State;
let aws: AwsServer;
let client: SecretsManagerClient;
let secrets: ReturnType<typeof openSecrets>;
let warnings: string[];
let rotates: (event: StepEvent) => Promise<CallOutcome>;
const done: CallOutcome = { ok: true, value: 'null' };

const open = async () => {
  state = openState(file());
  warnings = [];
  secrets = openSecrets(state, (sentence) => void warnings.push(sentence));
  secrets.rotateBy((_, event) => rotates(event as StepEvent));
  aws = await openAws();
  aws.serve(secrets.operations);
  client = new SecretsManagerClient(settingsFor(aws.url));
};
const close = async () => {
  client.destroy();
  await aws.stop();
  await secrets.stop();
  state.close();
};
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  await open();
});
afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

const SecretId = 'SessionKeys';
const [one = '', two = '', three = ''] = ['1', '2', '3'].map((digit) => digit.repeat(32));
const textOf = async (VersionId?: string) =>
  (await client.send(new GetSecretValueCommand({ SecretId, VersionId }))).SecretString;
const stages = async () => (await client.send(new DescribeSecretCommand({ SecretId }))).VersionIdsToStages;
const put = (ClientRequestToken: string, SecretString: string, ...VersionStages: string[]) =>
  client.send(
    new PutSecretValueCommand({
      ...{ SecretId, ClientRequestToken, SecretString },
      ...(VersionStages.length > 0 && { VersionStages }),
    }),
  );
const makeCurrent = (MoveToVersionId: string, RemoveFromVersionId?: string) =>
  client.send(
    new UpdateSecretVersionStageCommand({
      ...{ SecretId, VersionStage: 'AWSCURRENT', MoveToVersionId, RemoveFromVersionId },
    }),
  );
const rotate = (ClientRequestToken: string) =>
  client.send(new RotateSecretCommand({ SecretId, ClientRequestToken }));
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => 'taken',
    (error: Error) => error.name,
  );

describe('versions of a secret', () => {
  test('EMB-10 a pending version is read by its id alone, until AWSCURRENT is moved to it from the version that has it', async () => {
    await put(one, 'first');
    await put(two, 'second', 'AWSPENDING');
    const before = [await textOf(), await textOf(two)];
    const refused = [await refusal(makeCurrent(two)), await refusal(makeCurrent(three, one))];
    await makeCurrent(two, one);

    expect([before, refused]).toEqual([
      ['first', 'second'],
      ['InvalidParameterException', 'ResourceNotFoundException'],
    ]);
    expect([await textOf(), await textOf(one)]).toEqual(['second', 'first']);
    expect(await stages()).toEqual({ [one]: ['AWSPREVIOUS'], [two]: ['AWSPENDING', 'AWSCURRENT'] });
  });

  test('EMB-10 a version is written once, and one without a stage is gone', async () => {
    await put(one, 'first');
    await put(two, 'second');
    await put(three, 'third');

    expect([await refusal(put(three, 'third')), await refusal(put(three, 'other'))]).toEqual([
      'taken',
      'ResourceExistsException',
    ]);
    expect(await refusal(textOf(one))).toBe('ResourceNotFoundException');
  });

  test('EMB-10 RUN-1 S-18 they survive a restart, in a file for its owner alone; the pepper has a first value of 64 letters', async () => {
    await put(one, 'first');
    const pepper = () => client.send(new GetSecretValueCommand({ SecretId: 'Pepper' }));
    const drawn = (await pepper()).SecretString;
    await close();
    await open();

    expect([await textOf(), (await pepper()).SecretString]).toEqual(['first', drawn]);
    expect(drawn).toMatch(/^[A-Za-z0-9]{64}$/);
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
  });
});

describe('rotations', () => {
  test('EMB-10 a rotation answers at once, and calls the function for each of its four steps with an empty version', async () => {
    await put(one, 'first');
    const seen: unknown[] = [];
    const ended = Promise.withResolvers<void>();
    rotates = async ({ Step, SecretId: arn, ClientRequestToken }) => {
      seen.push([Step, arn, (await stages())?.[ClientRequestToken]]);
      if (Step === 'createSecret') await put(ClientRequestToken, 'second', 'AWSPENDING');
      if (Step === 'finishSecret') {
        await makeCurrent(ClientRequestToken, one);
        ended.resolve();
      }
      return done;
    };

    const { VersionId } = await rotate(two);
    await ended.promise;

    const arn = 'arn:aws:secretsmanager:eu-west-2:000000000000:secret:SessionKeys';
    expect(VersionId).toBe(two);
    expect(seen).toEqual(
      ['createSecret', 'setSecret', 'testSecret', 'finishSecret'].map((step) => [step, arn, ['AWSPENDING']]),
    );
    expect(await textOf()).toBe('second');
  });

  test('EMB-10 a step that fails ends the rotation and is told; asking for another one tries that one again', async () => {
    await put(one, 'first');
    const asked: string[] = [];
    rotates = async ({ Step, ClientRequestToken }) => {
      asked.push(`${Step} ${ClientRequestToken.slice(0, 1)}`);
      return Step === 'setSecret' ? { ok: false, reason: 'threw Error: no' } : done;
    };
    await rotate(two);
    await secrets.stop();
    const again = await refusal(rotate(three));
    await secrets.stop();

    expect(asked).toEqual(['createSecret 2', 'setSecret 2', 'createSecret 2', 'setSecret 2']);
    expect(again).toBe('InvalidRequestException');
    expect(warnings).toEqual(Array(2).fill('rotate-keys, for setSecret: the function threw Error: no.'));
    expect([await textOf(), secrets.isRotating()]).toEqual(['first', false]);
  });
});
