import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';
import { everyScope, operatorOf, partnerOf, shopOf } from '../support/stage/operator-of.ts';
import { aPartnerProgram, type Credentials, send } from '../support/stage/partner-client.ts';

// Every request of the suite is compared with the document (test/support/openapi); these ask for what no other story does.

const shop = 'https://described.example';
let stage: ServiceStage;
let partner: Awaited<ReturnType<typeof aPartnerProgram>>;
let reader: typeof partner;
let writer: typeof partner;
let buyer: ReturnType<typeof aBrowserOn>;
let uuid: string;

beforeAll(async () => {
  stage = await openStage({ documents: true });
  const operate = operatorOf(stage);
  const credentials = await operate<Credentials>(...partnerOf('described', '--oauth-scopes', everyScope));
  await operate(...shopOf('described', shop));
  partner = await aPartnerProgram(stage, credentials, everyScope);
  reader = await aPartnerProgram(stage, credentials, 'nop2/read');
  writer = await aPartnerProgram(stage, credentials, 'nop2/write');
  buyer = aBrowserOn(stage, shop);
  uuid = (await buyer.send('/api/transaction', { method: 'POST', body: {} })).body.uuid;
}, 240_000);
afterAll(() => stage.close());
endEngineAfterFile();

test('S-73 a session reads its own transaction, and gets 304 if nothing changed', async () => {
  const first = await buyer.send(`/api/transaction/${uuid}`);
  const again = await buyer.send(`/api/transaction/${uuid}`, {
    headers: { 'If-None-Match': first.headers.get('etag') ?? '' },
  });
  const unknown = await buyer.send('/api/transaction/nope');

  expect([first.status, again.status, unknown.status]).toEqual([200, 304, 404]);
});

test.each([
  ...['/openapi.json', '/docs', '/docs/start', '/docs/start.md', '/llms.txt', '/.well-known/api-catalog'],
  ...['/.well-known/oauth-protected-resource/api/v2', '/.well-known/oauth-authorization-server'],
  '/oauth2/jwks',
])('S-73 COND-1 public documents at %s, and their caching', async (path) => {
  const address = `${/oauth2|authorization/.test(path) ? stage.authUrl : stage.baseUrl}${path}`;
  const first = await send(stage, address);
  const again = await send(stage, address, {
    headers: { 'If-None-Match': first.headers.get('etag') ?? '' },
  });

  expect([first.status, again.status]).toEqual([200, 304]);
});

/** An address that each write is sent to. */
const writes = [
  ['PATCH', () => `/api/v2/transaction/${uuid}`],
  ['PUT', () => `/api/v2/transaction/${uuid}`],
  ['POST', () => '/api/v2/payment'],
  ['PUT', () => '/api/v2/webhook'],
  ['PATCH', () => '/api/v2/webhook'],
] as const;

describe('OA-3 refusals match the document', () => {
  test.each(writes)('for a partner’s %s (%#)', async (method, address) => {
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

  test.each(['PATCH', 'PUT'] as const)(
    'V2-4 for a %s of an outdated version, or of nothing',
    async (method) => {
      const body = { customer: { firstName: 'Ada' } };
      const stale = await partner.write(method, `/api/v2/transaction/${uuid}`, body, { 'If-Match': '"v0"' });
      const unknown = await partner.write(method, '/api/v2/transaction/nope', body);

      expect([stale.status, unknown.status]).toEqual([412, 404]);
    },
  );

  test.each(['/api/v2/transaction', '/api/v2/transaction/nope', '/api/v2/event'])(
    'for a read of %s',
    async (path) => {
      const stranger = await send(stage, path);
      const scopeless = await writer.get(path);
      const crowded = await partner.get(`${path}?${'a=1&'.repeat(1_001)}`);

      expect([stranger.status, scopeless.status, crowded.status]).toEqual([401, 403, 400]);
    },
  );

  test('for unknown resources', async () => {
    const payment = { transaction: 'none', type: 1, value: '1.00', status: 0 };
    const answers = [
      await partner.get('/api/v2/transaction/nope'),
      await partner.write('POST', '/api/v2/payment', payment),
      await send(stage, '/docs/nope'),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test.each(['PATCH', 'PUT', 'POST'] as const)(
    'V1-5 for a session’s %s, with their token',
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

  test.each(['token', 'introspect', 'revoke'])(
    'O-33 for /oauth2/%s of the token service',
    async (endpoint) => {
      const asked = async (headers: Record<string, string>, body: string) =>
        (await send(stage, `${stage.authUrl}/oauth2/${endpoint}`, { method: 'POST', headers, body })).status;
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

      expect([
        await asked({ ...form, Authorization: 'Basic bm86bm8=' }, 'grant_type=client_credentials&token=x'),
        await asked({ 'Content-Type': 'application/json' }, '{}'),
        await asked(form, `token=${'x'.repeat(9_000)}`),
      ]).toEqual([401, 400, 413]);
    },
  );

  test('V1-10 for a sign-in', async () => {
    const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange' });
    const { status, json } = await send(stage, '/api/session', {
      method: 'POST',
      headers: { Origin: shop },
      body,
    });

    expect([status, json()]).toMatchObject([400, { error: 'invalid_request' }]);
  });

  test('OA-8 431 for any address whose headers are larger than the gateway accepts', async () => {
    const headers = { 'X-Correlation-Id': 'x'.repeat(11_000) };
    const ofApi = ['/openapi.json', '/api/v2/transaction', '/api/transaction'].map((path) =>
      send(stage, path, { headers }),
    );
    const ofTokens = ['POST /oauth2/token', 'GET /oauth2/jwks'].map((operation) => {
      const [method = '', path] = operation.split(' ');
      return send(stage, `${stage.authUrl}${path}`, { method, headers });
    });

    const answers = await Promise.all([...ofApi, ...ofTokens]);

    expect(answers.map(({ status }) => status)).toEqual([431, 431, 431, 431, 431]);
  });
});
