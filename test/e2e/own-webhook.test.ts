import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import { root } from '../support/repository.ts';
import { aPartnerProgram, type Credentials } from '../support/stage/partner-client.ts';
import { sharedStage } from '../support/stage/shared-stage.ts';

type Program = Awaited<ReturnType<typeof aPartnerProgram>>;

/** What came to the partner's endpoints: `/one` and `/two` take everything, `/broken` answers 500. */
const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
let endpoints: Server;
let partner: Program;
let signature: string;
let url: string;

beforeAll(async () => {
  const stage = await sharedStage();
  endpoints = createServer(async (request, response) => {
    const { url: path = '', headers } = request;
    received.push({ path, headers, body: await text(request) });
    response.writeHead(path === '/broken' ? 500 : 204).end();
  });
  endpoints.listen(0, '127.0.0.1');
  await once(endpoints, 'listening');
  url = `http://127.0.0.1:${(endpoints.address() as AddressInfo).port}`;
  const tool = createOperatorTool(root, join(stage.dataDir, 'stack.json'), 'ignore');
  const words = ['--name', 'of-manager', '--grant', 'group=manager'];
  const made = await tool('partner', 'create', ...words, '--oauth-scopes', 'nop2/read nop2/webhook');
  if (!made.ok) throw new Error(made.reason);
  const credentials = made.value as Credentials & { webhookSignature: string };
  signature = credentials.webhookSignature;
  partner = await aPartnerProgram(stage, credentials, 'nop2/read nop2/webhook');
}, 300_000);

afterAll(() => {
  endpoints.closeAllConnections();
  endpoints.close();
});

/** Waits for what the stage does by itself. */
const has = async (isSo: () => boolean | Promise<boolean>) => {
  for (let polls = 0; polls < 500; polls += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`It did not come to that: ${JSON.stringify(await webhook())}`);
};

const webhook = async () => (await partner.get('/api/v2/webhook')).json();
const isIn = (state: string) => has(async () => (await webhook()).state === state);
const put = (path: string) => partner.write('PUT', '/api/v2/webhook', { url: `${url}${path}` });
const patch = (change: object) => partner.write('PATCH', '/api/v2/webhook', change);

/** Has a test sent by the usual way, and waits for it at an endpoint. */
const testedAt = async (path: string) => {
  const sent = await partner.get('/api/v2/webhook/test', { method: 'POST' });
  const id = String(sent.json().id);
  const atEndpoint = () => received.find((one) => one.path === path && one.body.includes(id));
  await has(() => atEndpoint() !== undefined);
  return atEndpoint()?.headers ?? {};
};

const typeOf = (answer: Awaited<ReturnType<Program['get']>>) => String(answer.json().type).split('#')[1];

test('V2-13 an address that is set is checked with a wrong and the right signature, and then it is on', async () => {
  expect((await put('/one')).json()).toMatchObject({ state: 'verifying', servedUrl: null });

  await isIn('on');

  const [wrong, right] = received.map(({ headers }) => headers['x-webhook-signature']);
  expect([wrong === signature, right]).toEqual([false, signature]);
  expect(await webhook()).toMatchObject({ url: `${url}/one`, servedUrl: `${url}/one`, reason: null });
  expect(await testedAt('/one')).toMatchObject({ 'x-webhook-signature': signature });
}, 60_000);

test('V2-13 one that does not pass is failing and says why, and the former one serves', async () => {
  await put('/broken');

  await isIn('failing');

  expect(await webhook()).toMatchObject({
    ...{ url: `${url}/broken`, reason: 'HTTP_500', servedUrl: `${url}/one` },
  });
  await testedAt('/one');
  await put('/two');
  await isIn('on');
  expect(await webhook()).toMatchObject({ servedUrl: `${url}/two` });
}, 60_000);

test('V2-13 while it is paused nothing is sent, and what would be is 409; resumed, it is on again', async () => {
  await patch({ paused: true });
  const refused = await partner.get('/api/v2/webhook/test', { method: 'POST' });

  expect([refused.status, typeOf(refused)]).toEqual([409, 'webhook-paused']);
  await patch({ paused: false });
  await isIn('on');
  await testedAt('/two');
}, 60_000);

test('V2-13 S-27 I22 the next signature is sent beside the present one, and alone once it is chosen', async () => {
  const next = String((await partner.get('/api/v2/webhook/signature', { method: 'POST' })).json().signature);
  const carried = async (wanted: object) => {
    const headers = await testedAt('/two');
    return Object.entries(wanted).every(([name, value]) => headers[name] === value);
  };

  await has(() => carried({ 'x-webhook-signature': signature, 'x-webhook-signature-next': next }));
  await patch({ signature: 'next' });
  await has(() => carried({ 'x-webhook-signature': next, 'x-webhook-signature-next': undefined }));

  expect(await webhook()).toMatchObject({ state: 'on', nextSignature: null });
}, 90_000);

test('V2-13 removed, it is off, and there is nowhere to send to', async () => {
  expect((await partner.get('/api/v2/webhook', { method: 'DELETE' })).status).toBe(204);

  const refused = await partner.get('/api/v2/webhook/test', { method: 'POST' });

  expect([refused.status, typeOf(refused)]).toEqual([409, 'webhook-missing']);
  expect(await webhook()).toMatchObject({ url: null, state: 'off', servedUrl: null });
}, 60_000);
