import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { root } from '../support/repository.ts';
import { runSmoke } from '../support/run/smoke-command.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';
import { operatorOf, partnerOf } from '../support/stage/operator-of.ts';
import type { Credentials } from '../support/stage/partner-client.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/stage/webhook-receiver.ts';

jest.setTimeout(120_000);

let receiver: WebhookReceiver;
let stage: ServiceStage;

beforeAll(async () => {
  stage = await openStage({ tickSeconds: 1 });
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await stage.close();
  await receiver.stop();
});
endEngineAfterFile();

const environmentOf = (more: Record<string, string>) => ({
  ...process.env,
  ...{ NODE_OPTIONS: '', TRANSACTIONS_STACK: join(stage.dataDir, 'stack.json'), ...more },
});
const smoke = (words: string[], more: Record<string, string> = {}) => runSmoke(words, environmentOf(more));

/** Partners and storefronts that runs have left. */
const left = async (kind: 'partner' | 'storefront') =>
  (await operatorOf(stage)<{ name: string; retired?: boolean }[]>(kind, 'list')).filter(({ name }) =>
    name.startsWith('smoke'),
  );

test('D-40 the smoke test finds no fault on an embedded stage, with a webhook, and leaves nothing there', async () => {
  const { code, said } = await smoke(['--receiver', `${receiver.url}/smoke`]);

  const uuid = /detail\.uuid "(.+)"/.exec(said)?.[1] ?? 'none';
  expect(said).toMatch(/ok {6}DEL-1 RUN-4 .+\n\d\d passed, 0 failed\n$/);
  expect(code).toBe(0);
  expect(receiver.received.filter(({ body }) => body.includes(uuid))).toMatchObject([
    { headers: { 'X-Webhook-Signature': /Signature: (\S+)/.exec(said)?.[1] } },
  ]);
  expect(await left('partner')).toEqual([]);
  expect(await left('storefront')).toMatchObject([{ name: 'smoke', retired: true }]);
});

test('D-40 with a given partner nothing is created', async () => {
  const { clientId, clientSecret } = await operatorOf(stage)<Credentials>(...partnerOf('reader'));

  const { code, said } = await smoke([], { SMOKE_CLIENT_ID: clientId, SMOKE_CLIENT_SECRET: clientSecret });

  expect(said).toMatch(/ok {6}D-40 nothing was written so far but tokens .+\n\d\d passed, 0 failed\n$/);
  expect(said).not.toContain('RUN-5');
  expect(code).toBe(0);
});

test('D-40 a run that finds a fault ends with 1, and says which response had it', async () => {
  const { code, said } = await smoke([], { SMOKE_CLIENT_ID: 'nobody', SMOKE_CLIENT_SECRET: 'x'.repeat(64) });

  expect(said).toMatch(
    /FAILED {2}O-01 the partner is granted tokens .+\n.*invalid_client[\s\S]*\n +the last answer: 401 to POST \S+, Request-Id \S{8,}\n +→ `operator partner show` says/,
  );
  expect(code).toBe(1);
});

test('D-40 an interrupted run stops, and deletes what it created', async () => {
  const words = ['--no-warnings', 'test/smoke/run.ts'];
  const run = spawn(process.execPath, words, { cwd: root, env: environmentOf({}) });
  let said = '';
  run.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (!said.includes('RUN-5') && `${said}${text}`.includes('RUN-5')) run.kill('SIGINT');
    said += text;
  });
  const [code] = await once(run, 'close');

  expect(said.match(/FAILED {2}stopped by SIGINT/g)).toHaveLength(1);
  expect(said).toMatch(/ok {6}DEL-1 RUN-4 .+\n\d+ passed, 1 failed\n$/);
  expect(said).not.toContain('a buyer opens a checkout');
  expect(code).toBe(1);
  expect(await left('partner')).toEqual([]);
});
