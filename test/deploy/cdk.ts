import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountEnvironment, type Emulator } from './account.ts';
import { binary, inWorkspace } from './places.ts';
import { run } from './processes.ts';
import type { Restored } from './restored-table.ts';

/** Outputs by stack and name, as `cdk deploy` writes them. */
export type Outputs = Record<string, Record<string, string>>;

export const outputsFile = inWorkspace('outputs.json');

/** Where `localstack/deploy.sh` puts the templates and bundles. */
export const assembly: string = inWorkspace('cdk.out');

/** Deploys the release of an assembly. */
export const deploy = async (emulator: Emulator, release: string = assembly): Promise<Outputs> => {
  const words = ['--all', '--require-approval', 'never', '--outputs-file', outputsFile];
  await cdk(emulator, 'deploy', [...words, '--app', release]);
  return JSON.parse(readFileSync(outputsFile, 'utf8'));
};

/** Fails if the templates differ from the deployed ones. */
export const diff = (emulator: Emulator): Promise<string> =>
  cdk(emulator, 'diff', ['--fail', '--method', 'template', '--app', assembly]);

export const destroy = (emulator: Emulator, stack: string): Promise<string> =>
  cdk(emulator, 'destroy', [stack, '--force', '--app', assembly]);

/** Writes the release in which a restored table replaces the stack's own. */
export const synthesiseRestored = async (
  emulator: Emulator,
  { table, streamArn }: Restored,
): Promise<string> => {
  const release = inWorkspace('cdk.out.restored');
  await cdk(emulator, 'synth', ['--quiet', '--app', `node ${restoredApp}`, '--output', release], {
    ...{ RESTORED_TABLE: table, RESTORED_STREAM: streamArn },
  });
  return release;
};

const restoredApp = join(import.meta.dirname, 'restored-app.ts');

const cdk = (emulator: Emulator, command: string, args: string[], more: NodeJS.ProcessEnv = {}) =>
  run({
    command: binary('cdk'),
    args: [command, ...args],
    env: { ...accountEnvironment(emulator), ...more },
    logFile: inWorkspace(`cdk-${command}.log`),
    timeoutSeconds: 300,
  });
