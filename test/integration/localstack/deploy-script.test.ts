import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../../support/repository.ts';

const runScript = async (script: string, ...words: string[]) => {
  const child = spawn(join(root, 'localstack', script), words, { env: process.env });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const [code] = await once(child, 'close');
  return { code, printed };
};

test.each(['deploy.sh', 'community/start.sh'])('localstack/%s --help says how to use it', async (script) => {
  const { code, printed } = await runScript(script, '--help');

  expect([code, printed.startsWith(`Usage: localstack/${script}`)]).toEqual([0, true]);
});

const noPort = (port: string): [string, string[], string] => [
  'community/start.sh',
  ['--port', port],
  `LocalStack: --port is "${port}" and must be a whole number from 1 to 65535.`,
];
const notLoopback = 'deploy.sh: --endpoint must be like http://127.0.0.1:4566';
test.each([
  ['deploy.sh', ['--endpoint', 'https://cloudformation.eu-west-2.amazonaws.com'], notLoopback],
  ['deploy.sh', ['--endpoint', 'http://10.0.0.4:4566'], notLoopback],
  ['deploy.sh', ['--endpoint', 'http://127.0.0.1:4566/path'], notLoopback],
  ['deploy.sh', ['--endpoint', 'http://127.0.0.1:4566@example.com'], notLoopback],
  ['deploy.sh', ['--endpoint', ''], notLoopback],
  [
    'deploy.sh',
    ['--endpoint', 'http://localhost:1'],
    'deploy.sh: No LocalStack answers at http://127.0.0.1:1.',
  ],
  ['deploy.sh', ['--stage', 'production'], 'deploy.sh: --stage must be staging or local, not production.'],
  ['deploy.sh', ['--force'], 'deploy.sh: The option --force is not known.'],
  ['deploy.sh', ['--outputs'], 'deploy.sh: --outputs needs a file.'],
  ['deploy.sh', ['--assembly'], 'deploy.sh: --assembly needs a folder.'],
  ...['http', '1e3', '0x10', ' 80', '+80', '080', '4566.0', '', '0', '65536'].map(noPort),
  ['deploy.sh', ['--endpoint', 'http://127.0.0.1:080'], notLoopback],
  ['deploy.sh', ['--endpoint', 'http://127.0.0.1:65536'], notLoopback],
  ['community/start.sh', ['--port'], 'LocalStack: --port needs a number.'],
  ['community/start.sh', ['--detach'], 'LocalStack: The option --detach is not known.'],
])('D-20 localstack/%s %j is refused in one sentence', async (script, words, sentence) => {
  const { code, printed } = await runScript(script, ...words);

  expect(code).toBe(2);
  expect(printed).toContain(sentence);
});

test('D-20 localstack/deploy.sh refuses another server than LocalStack', async () => {
  const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, printed } = await runScript('deploy.sh', '--endpoint', endpoint);
  server.close();

  expect(code).toBe(2);
  expect(printed).toContain(`What answers at ${endpoint} is no LocalStack with DynamoDB.`);
});

test('D-20 localstack/community/start.sh refuses a taken port before it deletes what another start uses there', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { code, printed } = await runScript('community/start.sh', '--port', `${port}`);
  server.close();

  expect([code, printed]).toEqual([2, `LocalStack: Port ${port} is taken: name another with --port.\n`]);
});
