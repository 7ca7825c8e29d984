import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Emulator, region } from './account.ts';
import { inWorkspace, path, temporary } from './places.ts';
import { start } from './processes.ts';

/** An empty AWS on loopback. */
export const startMinistack = async (python: string): Promise<Emulator> => {
  const port = await freePort();
  const logFile = inWorkspace('ministack.log');
  const child = start({ command: python, args: ['-m', 'ministack'], env: environment(port), logFile });
  const endpoint = `http://127.0.0.1:${port}`;
  await untilReady({ child, endpoint, logFile });
  return { endpoint };
};

/**
 * Functions inherit these variables, so there are no more than on AWS. The cap keeps parallel calls from starting a
 * process each. The two listeners that are switched off have fixed ports.
 */
const environment = (port: number) => ({
  PATH: path,
  HOME: temporary,
  TMPDIR: temporary,
  LANG: 'C.UTF-8',
  PYTHONUNBUFFERED: '1',
  BIND_HOST: '127.0.0.1',
  GATEWAY_PORT: String(port),
  MINISTACK_REGION: region,
  LAMBDA_ACCOUNT_CONCURRENCY: '8',
  IOT_MTLS_ENABLED: '0',
  SFTP_ENABLED: '0',
});

export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const untilReady = async (asked: { child: ChildProcess; endpoint: string; logFile: string }) => {
  const { child, endpoint, logFile } = asked;
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    if (await isReady(endpoint)) return;
    await pause(100);
  }
  throw new Error(`MiniStack did not come up within 30 s: see ${logFile}`);
};

const isReady = (endpoint: string) =>
  fetch(`${endpoint}/_ministack/health`).then(
    (answer) => answer.ok,
    () => false,
  );
