import { readFileSync } from 'node:fs';
import { accountEnvironment, accountId } from './account.ts';
import { type Ministack, region } from './ministack.ts';
import { binary, inWorkspace } from './places.ts';
import { run } from './processes.ts';

/** Outputs by stack and name, as `cdk deploy` writes them. */
export type Outputs = Record<string, Record<string, string>>;

export const outputsFile = inWorkspace('outputs.json');

/** Staging has what AWS would have: deployed addresses, retained data, reserved concurrency. */
const stage = 'staging';
const assembly = inWorkspace('cdk.out');

export const synthesise = (ministack: Ministack): Promise<string> =>
  cdk(ministack, 'synth', ['--quiet', '--context', `stage=${stage}`, '--output', assembly]);

export const bootstrap = (ministack: Ministack): Promise<string> =>
  cdk(ministack, 'bootstrap', [`aws://${accountId}/${region}`, '--app', assembly]);

export const deploy = async (ministack: Ministack): Promise<Outputs> => {
  const words = ['--all', '--require-approval', 'never', '--outputs-file', outputsFile];
  await cdk(ministack, 'deploy', [...words, '--app', assembly]);
  return JSON.parse(readFileSync(outputsFile, 'utf8'));
};

const cdk = (ministack: Ministack, command: string, args: string[]) =>
  run({
    command: binary('cdk'),
    args: [command, ...args],
    env: accountEnvironment(ministack),
    logFile: inWorkspace(`cdk-${command}.log`),
    timeoutSeconds: 120,
  });
