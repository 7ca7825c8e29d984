import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Result } from '../../bin/smoke/check.ts';
import { root } from '../support/repository.ts';
import { sharedStage } from '../support/stage/shared-stage.ts';

jest.setTimeout(120_000);

const run = promisify(execFile);

/** Headers and bodies of all that came. */
const posted: { headers: Record<string, unknown>; body: string }[] = [];
let receiver: Server;

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const chunks = await request.toArray();
    posted.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  receiver.close();
});

test('D-40 the smoke test finds nothing wrong with an embedded stage, a webhook included', async () => {
  const { dataDir } = await sharedStage();
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/smoke`;
  const words = ['bin/smoke.ts', '--stack', join(dataDir, 'stack.json'), '--receiver', url, '--json'];

  const { stdout, stderr } = await run(process.execPath, ['--no-warnings', ...words], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '' },
  });

  const results: Result[] = JSON.parse(stdout);
  const skipped = results.filter(({ state }) => state === 'skipped').map(({ title }) => title.split(' ')[0]);
  const uuid = /detail\.uuid "(.+)"/.exec(stderr)?.[1] ?? 'none';
  expect(results.filter(({ state }) => state === 'failed')).toEqual([]);
  expect(skipped).toEqual(['O-56', 'O-56', 'O-56', 'S-74', 'S-40', 'D-41']);
  expect(posted.filter(({ body }) => body.includes(uuid))).toMatchObject([
    { headers: { 'x-webhook-signature': /Signature: (\S+)/.exec(stderr)?.[1] } },
  ]);
});
