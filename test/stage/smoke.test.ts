import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import { root } from '../support/repository.ts';
import { type OpenStage, sharedStage } from '../support/stage/shared-stage.ts';

jest.setTimeout(120_000);

/** Headers and bodies of all that came. */
const posted: { headers: Record<string, unknown>; body: string }[] = [];
let receiver: Server;
let stage: OpenStage;

beforeAll(async () => {
  stage = await sharedStage();
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

const stackFile = () => join(stage.dataDir, 'stack.json');

/** Runs the command itself: the code with which it ends, and all that it says. */
const smoke = (words: string[], environment: Record<string, string> = {}) =>
  new Promise<{ code: unknown; said: string }>((resolve) => {
    const env = { ...process.env, NODE_OPTIONS: '', TRANSACTIONS_STACK: stackFile(), ...environment };
    execFile(
      process.execPath,
      ['--no-warnings', 'test/smoke/run.ts', ...words],
      { cwd: root, env },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, said: stdout + stderr }),
    );
  });

const operator = async (...words: string[]) => {
  const outcome = await createOperatorTool(root, stackFile(), 'ignore')(...words);
  if (outcome.ok) return outcome.value;
  throw new Error(outcome.reason);
};

test('D-40 the smoke test finds nothing wrong with an embedded stage, a webhook included, and leaves nothing there', async () => {
  const { port } = receiver.address() as AddressInfo;

  const { code, said } = await smoke(['--receiver', `http://127.0.0.1:${port}/smoke`]);

  const uuid = /detail\.uuid "(.+)"/.exec(said)?.[1] ?? 'none';
  expect(said).toMatch(/ok {6}DEL-1 RUN-4 .+\n\d\d passed, 0 failed\n$/);
  expect(code).toBe(0);
  expect(posted.filter(({ body }) => body.includes(uuid))).toMatchObject([
    { headers: { 'x-webhook-signature': /Signature: (\S+)/.exec(said)?.[1] } },
  ]);
  const partners = (await operator('partner', 'list')) as { name: string }[];
  const storefronts = (await operator('storefront', 'list')) as { name: string; retired: boolean }[];
  expect(partners.filter(({ name }) => name.startsWith('smoke'))).toEqual([]);
  expect(storefronts.filter(({ name }) => name === 'smoke')).toMatchObject([{ retired: true }]);
});

test('D-40 with a partner that is given nothing is made', async () => {
  const made = (await operator('partner', 'create', '--name', 'Reader', '--grant', 'group=reader')) as {
    clientId: string;
    clientSecret: string;
  };

  const { code, said } = await smoke([], {
    SMOKE_CLIENT_ID: made.clientId,
    SMOKE_CLIENT_SECRET: made.clientSecret,
  });

  expect(said).toMatch(/ok {6}D-40 nothing was written so far but tokens .+\n\d\d passed, 0 failed\n$/);
  expect(said).not.toContain('RUN-5');
  expect(code).toBe(0);
});

test('D-40 a run that finds something wrong ends with 1, and says what came and in which answer', async () => {
  const { code, said } = await smoke([], { SMOKE_CLIENT_ID: 'nobody', SMOKE_CLIENT_SECRET: 'x'.repeat(64) });

  expect(said).toMatch(/FAILED {2}O-01 the partner is granted tokens .+\n.*invalid_client/);
  expect(code).toBe(1);
});
