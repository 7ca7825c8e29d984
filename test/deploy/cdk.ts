import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountEnvironment, accountId, type Emulator, region } from './account.ts';
import { binary, inWorkspace } from './places.ts';
import { run } from './processes.ts';

/** Outputs by stack and name, as `cdk deploy` writes them. */
export type Outputs = Record<string, Record<string, string>>;

export const outputsFile = inWorkspace('outputs.json');

/** Staging has what AWS would have: deployed addresses and retained data. */
const stage = 'staging';
/** What `synthesise` makes. */
export const assembly: string = inWorkspace('cdk.out');

export const synthesise = async (emulator: Emulator): Promise<void> => {
  await cdk(emulator, 'synth', ['--quiet', '--context', `stage=${stage}`, '--output', assembly]);
  for (const name of readdirSync(assembly))
    if (name.endsWith('.template.json')) takeOutUnknown(join(assembly, name));
};

type Resource = { Type: string; Properties?: Record<string, unknown> };

/**
 * MiniStack refuses a stack with a rotation, which the embedded stage has (test/stage/keys.test.ts), with a budget, a trail,
 * or an alarm over several metrics (test/infrastructure/alarms.test.ts).
 */
const takeOutUnknown = (file: string) => {
  const template = JSON.parse(readFileSync(file, 'utf8')) as { Resources: Record<string, Resource> };
  const known = Object.entries(template.Resources).filter(([, resource]) => !isUnknown(resource));
  writeFileSync(file, JSON.stringify({ ...template, Resources: Object.fromEntries(known) }));
};

const isUnknown = ({ Type, Properties }: Resource) =>
  Type === 'AWS::SecretsManager::RotationSchedule' ||
  Type === 'AWS::Budgets::Budget' ||
  Type === 'AWS::CloudTrail::Trail' ||
  (Type === 'AWS::CloudWatch::Alarm' && Properties?.Metrics !== undefined);

export const bootstrap = (emulator: Emulator): Promise<string> =>
  cdk(emulator, 'bootstrap', [`aws://${accountId}/${region}`, '--app', assembly]);

/** Deploys the release of an assembly. */
export const deploy = async (emulator: Emulator, release: string = assembly): Promise<Outputs> => {
  const words = ['--all', '--require-approval', 'never', '--outputs-file', outputsFile];
  await cdk(emulator, 'deploy', [...words, '--app', release]);
  return JSON.parse(readFileSync(outputsFile, 'utf8'));
};

/** Fails where a release differs from what is deployed, in anything that a template says. */
export const diff = (emulator: Emulator, release: string = assembly): Promise<string> =>
  cdk(emulator, 'diff', ['--fail', '--method', 'template', '--app', release]);

export const destroy = (emulator: Emulator): Promise<string> =>
  cdk(emulator, 'destroy', ['--all', '--force', '--app', assembly]);

const cdk = (emulator: Emulator, command: string, args: string[]) =>
  run({
    command: binary('cdk'),
    args: [command, ...args],
    env: accountEnvironment(emulator),
    logFile: inWorkspace(`cdk-${command}.log`),
    timeoutSeconds: 120,
  });
