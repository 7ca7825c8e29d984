import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import { root } from '../support/repository.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { until } from '../support/stage/messaging.ts';
import { aPartnerProgram, type Credentials, send } from '../support/stage/partner-client.ts';
import { type OpenStage, sharedStage } from '../support/stage/shared-stage.ts';

const shop = 'https://described.example';
let stage: OpenStage;
let partner: Awaited<ReturnType<typeof aPartnerProgram>>;
let reader: typeof partner;
let writer: typeof partner;
let buyer: ReturnType<typeof aBrowserOn>;
let uuid: string;

beforeAll(async () => {
  stage = await sharedStage();
  const tool = createOperatorTool(root, join(stage.dataDir, 'stack.json'), 'ignore');
  const operate = async (...words: string[]) => {
    const outcome = await tool(...words);
    if (outcome.ok) return outcome.value as Credentials;
    throw new Error(outcome.reason);
  };
  const named = ['--name', 'of-described', '--grant', 'group=described'];
  const everyScope = 'nop2/read nop2/write nop2/webhook';
  const credentials = await operate('partner', 'create', ...named, '--oauth-scopes', everyScope);
  // The demo's receiver does not know its signature.
  const url = `${stage.stack.receiverUrl}/of-described`;
  await operate('partner', 'set-webhook', 'of-described', '--url', url, '--unchecked');
  const owner = ['--group', 'described', '--franchise', 'F', '--location', 'L', '--branch', 'B'];
  await operate('storefront', 'create', '--name', 'of-described', ...owner, '--origin', shop);
  partner = await aPartnerProgram(stage, credentials, everyScope);
  reader = await aPartnerProgram(stage, credentials, 'nop2/read');
  writer = await aPartnerProgram(stage, credentials, 'nop2/write');
  buyer = aBrowserOn(stage, shop);
  uuid = (await buyer.send('/api/transaction', { method: 'POST', body: {} })).body.uuid;
}, 300_000);

// Every request of the suite is compared with the document (test/support/openapi). These call what no journey calls.
describe('S-73 operations that no other story needs', () => {
  test('a session reads its own transaction, and is told when nothing changed', async () => {
    const first = await buyer.send(`/api/transaction/${uuid}`);
    const again = await buyer.send(`/api/transaction/${uuid}`, {
      headers: { 'If-None-Match': first.headers.get('etag') ?? '' },
    });
    const unknown = await buyer.send('/api/transaction/nope');

    expect([first.status, again.status, unknown.status]).toEqual([200, 304, 404]);
  });

  test('a partner reads what it was sent of a payment', async () => {
    const payment = { transaction: uuid, type: 1, value: '99.00', status: 1 };
    await partner.write('POST', '/api/v2/payment', payment);

    const completions = async () =>
      (await partner.get('/api/v2/event?filter[type]=TransactionCompleted')).list().data;
    await until(async () => (await completions()).length > 0);
    const [event] = await completions();
    const { status } = await partner.get(`/api/v2/event/${event?.id}`);

    expect([event?.transaction, status]).toEqual([uuid, 200]);
    expect((await partner.get('/api/v2/event/nope')).status).toBe(404);
  });

  test('a partner has a test sent, one event again, and all of an hour', async () => {
    const completions = async () =>
      (await partner.get('/api/v2/event?filter[type]=TransactionCompleted')).list().data;
    await until(async () => (await completions()).length > 0);
    const [event] = await completions();
    const since = new Date(Date.now() - 3_600_000).toISOString();

    const answers = [
      await partner.get('/api/v2/webhook/test', { method: 'POST' }),
      await partner.get(`/api/v2/event/${event?.id}/replay`, { method: 'POST' }),
      await partner.write('POST', '/api/v2/event/replay', { since }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  });

  test.each([
    ...['/openapi.json', '/docs', '/docs/start', '/docs/start.md', '/llms.txt', '/.well-known/api-catalog'],
  ])('what is published at %s', async (path) => {
    const first = await send(stage, path);
    const again = await send(stage, path, { headers: { 'If-None-Match': first.headers.get('etag') ?? '' } });

    expect([first.status, again.status]).toEqual([200, 304]);
  });

  test('M-12 the metadata of the protected resource, and what caches have of it', async () => {
    const address = `${stage.baseUrl}/.well-known/oauth-protected-resource/api/v2`;
    const first = await send(stage, address);
    const again = await send(stage, address, {
      headers: { 'If-None-Match': first.headers.get('etag') ?? '' },
    });

    expect([first.status, again.status]).toEqual([200, 304]);
  });
});

/** An address that each write is sent to. */
const writes = [
  ['PATCH', () => `/api/v2/transaction/${uuid}`],
  ['PUT', () => `/api/v2/transaction/${uuid}`],
  ['POST', () => '/api/v2/payment'],
  ['PUT', () => '/api/v2/webhook'],
  ['PATCH', () => '/api/v2/webhook'],
] as const;

describe('OA-3 refusals are as described', () => {
  test.each(writes)('of a partner’s %s (%#)', async (method, address) => {
    const asked = async (headers: Record<string, string>, body: string, program = partner) =>
      (await program.get(address(), { method, headers, body })).status;
    const json = { 'Content-Type': 'application/json' };

    expect([
      await asked({ 'Content-Type': 'text/plain' }, '{}'),
      await asked(json, '{'),
      await asked(json, '{"nope":1}'),
      await asked(json, JSON.stringify({ nope: 'x'.repeat(300_000) })),
      await asked(json, '{}', reader),
      await asked({ ...json, Authorization: 'Bearer nope' }, '{}'),
    ]).toEqual([415, 400, 422, 413, 403, 401]);
  });

  test.each(writes.slice(0, 2))(
    'V2-4 of a %s to a version that is no more, or to nothing',
    async (method, address) => {
      const body = JSON.stringify({ customer: { firstName: 'Ada' } });
      const headers = { 'Content-Type': 'application/json', 'If-Match': '"v0"' };
      const stale = await partner.get(address(), { method, headers, body });
      const unknown = await partner.write(method, '/api/v2/transaction/nope', {
        customer: { firstName: 'Ada' },
      });

      expect([stale.status, unknown.status]).toEqual([412, 404]);
    },
  );

  test.each(['/api/v2/transaction', '/api/v2/transaction/nope'])('of a read of %s', async (path) => {
    const many = Array.from({ length: 1_001 }, (_, index) => `a${index}=1`).join('&');
    const stranger = await send(stage, path);
    const [scopeless, crowded] = [await writer.get(path), await partner.get(`${path}?${many}`)];

    expect([stranger.status, scopeless.status, crowded.status]).toEqual([401, 403, 400]);
  });

  test.each(['PATCH', 'PUT', 'POST'] as const)(
    'V1-5 of a session’s %s, its token with them',
    async (method) => {
      const path = method === 'POST' ? '/api/transaction' : `/api/transaction/${uuid}`;
      const asked = async (body: unknown, headers = {}) =>
        (await buyer.send(path, { method, body, headers })).status;

      expect([
        await asked({ nope: 1 }),
        await asked({}, { 'Content-Type': 'text/plain' }),
        await asked({}, { 'Idempotency-Key': 'a b' }),
        await asked({}, { Authorization: 'Bearer nope' }),
      ]).toEqual([422, 415, 400, 401]);
    },
  );

  test.each(['token', 'introspect', 'revoke'])('O-33 of the token service’s /oauth2/%s', async (endpoint) => {
    const asked = async (headers: Record<string, string>, body: string) =>
      (await send(stage, `${stage.authUrl}/oauth2/${endpoint}`, { method: 'POST', headers, body })).status;
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

    expect([
      await asked({ ...form, Authorization: 'Basic bm86bm8=' }, 'grant_type=client_credentials&token=x'),
      await asked({ 'Content-Type': 'application/json' }, '{}'),
      await asked(form, `token=${'x'.repeat(9_000)}`),
    ]).toEqual([401, 400, 413]);
  });

  test.each(['/oauth2/jwks', '/.well-known/oauth-authorization-server'])(
    'COND-1 of %s, which a cache has',
    async (path) => {
      const first = await send(stage, `${stage.authUrl}${path}`);
      const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };

      expect((await send(stage, `${stage.authUrl}${path}`, { headers })).status).toBe(304);
    },
  );

  test('OA-8 431 of any address whose headers are larger than the gateway takes', async () => {
    const headers = { 'X-Correlation-Id': 'x'.repeat(11_000) };
    const addresses = ['/openapi.json', '/api/v2/transaction', '/api/transaction'].map((path) =>
      send(stage, `${stage.baseUrl}${path}`, { headers }),
    );
    const ofTokens = ['POST /oauth2/token', 'GET /oauth2/jwks'].map((operation) => {
      const [method = '', path] = operation.split(' ');
      return send(stage, `${stage.authUrl}${path}`, { method, headers });
    });

    const answers = await Promise.all([...addresses, ...ofTokens]);

    expect(answers.map(({ status }) => status)).toEqual([431, 431, 431, 431, 431]);
  });
});
