import { rmSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { createAskCaller } from '../../../../bin/operator/caller.ts';
import { isEmulated } from '../../../../bin/operator/emulator.ts';
import { aWorkspace, memoryDeps, operate, writeOutputs } from '../../../support/operator/operator.ts';

const { folder, stackFile } = aWorkspace();
afterAll(() => rmSync(folder, { recursive: true }));

const outputs = writeOutputs(folder, '111122223333');

test('RUN-8 with credentials of another account, nothing is read or changed', async () => {
  const { deps, records } = memoryDeps();
  const touched: string[] = [];
  const partners = new Proxy(deps.partners, {
    get: (_, name) => {
      touched.push(String(name));
    },
  });
  const askCaller = async () => ({ arn: 'arn:aws:iam::444455556666:user/ada', account: '444455556666' });

  const said = await operate({ ...deps, partners, askCaller }, stackFile, [
    ...['partner', 'create', '--name', 'acme', '--grant', 'group=G', '--outputs', outputs],
  ]);

  expect([said.exitCode, said.noted]).toEqual([
    1,
    `${outputs} describes a stage in the AWS account 111122223333, but the credentials are of arn:aws:iam::444455556666:user/ada: sign in to that account, or name a profile of it with AWS_PROFILE. Nothing was read or changed.\n`,
  ]);
  expect([touched, records]).toEqual([[], []]);
});

test.each([
  ['of the account of the stage', { arn: 'arn:aws:iam::111122223333:user/ada', account: '111122223333' }],
  ['of an emulator that knows no accounts', { arn: 'emulator' }],
])('RUN-8 with credentials %s, a command is run', async (_name, caller) => {
  const { deps, records } = memoryDeps({ askCaller: async () => caller });

  const { exitCode } = await operate(deps, stackFile, ['listing', 'repair', '--outputs', outputs]);

  expect([exitCode, records]).toEqual([0, [expect.objectContaining({ caller: caller.arn })]]);
});

const localhost = 'http://localhost:4566';
const inAws = 'https://events.eu-west-2.amazonaws.com';
const stageIn = (account: string) => ({ place: { region: 'eu-west-2', account, outputs } });

test('S-28 the caller is the one that STS names', async () => {
  const [arn, account] = ['arn:aws:iam::111122223333:user/ada', '111122223333'];
  const client = { send: async () => ({ Arn: arn, Account: account }) };

  expect(await createAskCaller(client, { isEmulated: false })()).toEqual({ arn, account });
});

test('S-28 without a caller, AWS runs no command, and an emulator does', async () => {
  const client = { send: () => Promise.reject(new Error('no answer')) };

  await expect(createAskCaller(client, { isEmulated: false })()).rejects.toThrow('no answer');
  expect(await createAskCaller(client, { isEmulated: true })()).toEqual({ arn: 'emulator' });
});

test.each<[Record<string, string>, boolean]>([
  [{ AWS_ENDPOINT_URL: localhost }, true],
  [{ AWS_ENDPOINT_URL: 'http://127.0.0.1:4566/' }, true],
  [{ AWS_ENDPOINT_URL: 'http://[::1]:4566' }, true],
  [{ AWS_ENDPOINT_URL: 'https://localhost.localstack.cloud:4566' }, true],
  [{ AWS_ENDPOINT_URL: '' }, false],
  [{ AWS_ENDPOINT_URL: 'localhost:4566' }, false],
  [{ AWS_ENDPOINT_URL: inAws }, false],
  [{ AWS_ENDPOINT_URL: 'https://localhost.example:4566' }, false],
  [{ AWS_ENDPOINT_URL_EVENTBRIDGE: localhost }, true],
  [{}, false],
  [{ AWS_ENDPOINT_URL_DYNAMODB: localhost }, false],
  [{ AWS_ENDPOINT_URL: localhost, AWS_ENDPOINT_URL_EVENTBRIDGE: inAws }, false],
  [{ AWS_ENDPOINT_URL: 'http://localhost:4566', AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' }, false],
])('S-47 with %j, the bus of an emulator’s account is on this machine: %j', (environment, answer) => {
  expect(isEmulated(stageIn('000000000000'), environment)).toBe(answer);
});

test('S-47 a stage in an AWS account is not on an emulator: a loopback address may be a tunnel, or ignored', () => {
  const environment = { AWS_ENDPOINT_URL: localhost };

  expect(isEmulated(stageIn('111122223333'), environment)).toBe(false);
  expect(isEmulated({}, environment)).toBe(false);
});

const denied = 'User: ada is not authorized to perform: dynamodb:Query.';
const asksForCode =
  'Profile ada requires multi-factor authentication, but no MFA code callback was provided.';
const runbook = 'docs/runbook.md, "Working as the operator".';
const noCredentials = 'No AWS credentials were found: sign in, or name a profile with AWS_PROFILE.';
test.each([
  ['AccessDeniedException', denied, `${denied} Assume the role of the output OperatorRoleArn: ${runbook}`],
  ['CredentialsProviderError', asksForCode, `${asksForCode} Let the AWS CLI ask for the code: ${runbook}`],
  ['CredentialsProviderError', 'Could not load credentials from any providers', noCredentials],
  ['ExpiredTokenException', 'expired', 'The AWS credentials have expired: sign in again.'],
])('RUN-8 %s gets a sentence that says what to do', async (name, message, sentence) => {
  const askCaller = () => Promise.reject(Object.assign(new Error(message), { name }));
  const { deps } = memoryDeps({ askCaller });

  const { exitCode, noted } = await operate(deps, stackFile, ['partner', 'list']);

  expect([exitCode, noted]).toEqual([1, `${sentence}\n`]);
});
