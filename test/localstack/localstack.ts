import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Emulator } from '../deploy/account.ts';
import { type Outputs, outputsFile } from '../deploy/cdk.ts';
import { freePort } from '../deploy/ministack.ts';
import { inWorkspace, path } from '../deploy/places.ts';
import { run, start } from '../deploy/processes.ts';
import { untilReady } from '../deploy/until-ready.ts';
import { root } from '../support/repository.ts';

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
  const health = `${endpoint}/_localstack/health`;
  await untilReady({ name: 'LocalStack', child, health, logFile, withinSeconds: 60 });
  return { endpoint };
};

/** By the script that users have, so that it is proven too. */
export const deployByScript = async ({ endpoint }: Emulator): Promise<Outputs> => {
  await run({
    command: deployScript,
    args: ['--endpoint', endpoint, '--outputs', outputsFile],
    env,
    logFile: inWorkspace('deploy.log'),
    timeoutSeconds: 300,
  });
  return JSON.parse(readFileSync(outputsFile, 'utf8'));
};
