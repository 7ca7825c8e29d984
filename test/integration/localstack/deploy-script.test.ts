import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { root } from '../../support/repository.ts';

const runScript = async (script: string, ...words: string[]) => {
  const child = spawn(join(root, script), words, { env: process.env });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const [code] = await once(child, 'close');
  return { code, printed };
};

describe('localstack/deploy.sh', () => {
  const deploy = (...words: string[]) => runScript('localstack/deploy.sh', ...words);

  test('--help says what it does', async () => {
    const { code, printed } = await deploy('--help');

    expect(code).toBe(0);
    expect(printed).toMatch(/^Usage: localstack\/deploy\.sh \[--endpoint http:\/\/127\.0\.0\.1:4566\]/);
  });

  test.each([
    'https://cloudformation.eu-west-2.amazonaws.com',
    'http://10.0.0.4:4566',
    'http://127.0.0.1:4566/path',
    'http://127.0.0.1:4566@example.com',
    '',
  ])('D-20 the endpoint %j is refused: it is not on loopback', async (endpoint) => {
    const { code, printed } = await deploy('--endpoint', endpoint);

    expect(code).toBe(2);
    expect(printed).toContain('--endpoint must be like http://127.0.0.1:4566');
  });

  test.each([
    [['--stage', 'production'], '--stage must be staging or local, not production.'],
    [['--force'], 'The option --force is not known.'],
    [['--outputs'], '--outputs needs a file.'],
    [['--assembly'], '--assembly needs a folder.'],
    [['--endpoint', 'http://localhost:1'], 'No LocalStack answers at http://127.0.0.1:1.'],
  ])('%j is refused in one sentence', async (words, sentence) => {
    const { code, printed } = await deploy(...words);

    expect(code).toBe(2);
    expect(printed).toContain(`deploy.sh: ${sentence}`);
  });

  test('another server than LocalStack is refused', async () => {
    const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, printed } = await deploy('--endpoint', `http://127.0.0.1:${port}`);
    server.close();

    expect(code).toBe(2);
    expect(printed).toContain(`What answers at http://127.0.0.1:${port} is no LocalStack with DynamoDB.`);
  });
});

describe('localstack/community/start.sh', () => {
  const start = (...words: string[]) => runScript('localstack/community/start.sh', ...words);

  test('--help says what it does', async () => {
    const { code, printed } = await start('--help');

    expect(code).toBe(0);
    expect(printed).toMatch(/^Usage: localstack\/community\/start\.sh/);
  });

  test.each([
    [['--port', 'http'], 'The port http is not a number.'],
    [['--port'], '--port needs a number.'],
    [['--detach'], 'The option --detach is not known.'],
  ])('%j is refused in one sentence', async (words, sentence) => {
    const { code, printed } = await start(...words);

    expect(code).toBe(2);
    expect(printed).toContain(`LocalStack: ${sentence}`);
  });
});
