import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../localstack/embedded/free-port.ts';
import { root } from '../support/repository.ts';
import type { Emulator } from './account.ts';
import { assembly, type Outputs, outputsFile } from './cdk.ts';
import { inWorkspace, path } from './places.ts';
import { run, start } from './processes.ts';

const startScript = join(root, 'localstack', 'community', 'start.sh');
const deployScript = join(root, 'localstack', 'deploy.sh');

/** The environment of the shell, since pip and Maven need its proxies, certificates and package indexes. */
const env = { ...process.env, PATH: path };

/** Installs what `start.sh` starts; the next run uses it again. */
export const installLocalStack = (): Promise<string> =>
  run({
    command: startScript,
    args: ['--install-only'],
    env,
    logFile: inWorkspace('install.log'),
    timeoutSeconds: 600,
  });

export const startLocalStack = async (): Promise<Emulator> => {
  const port = await freePort();
  const logFile = inWorkspace('localstack.log');
  const child = start({ command: startScript, args: ['--port', String(port)], env, logFile });
  const endpoint = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 600 && child.exitCode === null && child.signalCode === null; attempt += 1) {
    const answer = await fetch(`${endpoint}/_localstack/health`).catch(() => undefined);
    if (answer?.ok) return { endpoint };
    await pause(100);
  }
  throw new Error(`LocalStack did not come up within 60 s: see ${logFile}`);
};

/** `cdk bootstrap` and `cdk deploy`, by the script that users have, so that it is proven too. */
export const deployByScript = async ({ endpoint }: Emulator): Promise<Outputs> => {
  await run({
    command: deployScript,
    args: ['--endpoint', endpoint, '--outputs', outputsFile, '--assembly', assembly],
    env,
    logFile: inWorkspace('deploy.log'),
    timeoutSeconds: 300,
  });
  return JSON.parse(readFileSync(outputsFile, 'utf8'));
};
