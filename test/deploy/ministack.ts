import { createServer } from 'node:net';
import { type Emulator, region } from './account.ts';
import { inWorkspace, path, temporary } from './places.ts';
import { start } from './processes.ts';
import { untilReady } from './until-ready.ts';

/** An empty AWS on loopback. */
export const startMinistack = async (python: string): Promise<Emulator> => {
  const port = await freePort();
  const logFile = inWorkspace('ministack.log');
  const child = start({ command: python, args: ['-m', 'ministack'], env: environment(port), logFile });
  const endpoint = `http://127.0.0.1:${port}`;
  const health = `${endpoint}/_ministack/health`;
  await untilReady({ name: 'MiniStack', child, health, logFile, withinSeconds: 30 });
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
