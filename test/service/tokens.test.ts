import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, jwtVerify } from 'jose';
import * as oauth4webapi from 'oauth4webapi';
import { generateKey } from '../../functions/rotate-keys/key-material.ts';
import { lifetimeOf, signAccessToken } from '../../functions/shared/auth/access-token.ts';
import { createRingStore } from '../../functions/shared/store/keys/ring-store.ts';
import { withOauth4webapi, withOpenidClient } from '../clients/node-clients.ts';
import { basic, decoded, grantBody } from '../support/apis/token-service.ts';
import { type Ask, sending } from '../support/builders/http-event.ts';
import { aRing, heldKeys } from '../support/builders/key-rings.ts';
import { clientOf, documentsOf } from '../support/engine/engine.ts';
import { instanceOf } from '../support/stage/instance-of.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';
import { everyScope, operatorOf, partnerOf, shopOf } from '../support/stage/operator-of.ts';
import { aPartnerProgram, type Credentials } from '../support/stage/partner-client.ts';
import { openStageKeys } from '../support/stage/stage-keys.ts';

const shop = 'https://tokens.example';
let stage: ServiceStage;
let partner: Credentials;
let partners = 0;
/** A partner of its own, for what is counted for each. */
const aClient = async () => {
  partners += 1;
  return operatorOf(stage)<Credentials>(...partnerOf(`tokens-${partners}`, '--oauth-scopes', everyScope));
};

beforeAll(async () => {
  stage = await openStage();
  partner = await aClient();
  await operatorOf(stage)(...shopOf('tokens', shop));
});
afterAll(() => stage.close());
endEngineAfterFile();

const minute = 60_000;
/** To the begin of a window, so that what follows is counted in one. */
const toNext = (windowMs: number) =>
  stage.passTime(Math.ceil(Date.now() / windowMs) * windowMs - Date.now() + 1);
const documents = () => documentsOf(clientOf(stage.endpoints.dynamodb));
const form = ({ clientId, clientSecret }: Credentials, more: Record<string, string> = {}) => ({
  ...{ 'Content-Type': 'application/x-www-form-urlencoded' },
  ...{ Authorization: basic(clientId, clientSecret), ...more },
});
/** A request to the token service, by way of the gateway. */
const post = async (endpoint: string, credentials: Credentials, body = '', more = {}) => {
  const answer = await stage.ask('POST', `/oauth2/${endpoint}`, { headers: form(credentials, more), body });
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text || '{}') };
};
const tokenFor = (credentials: Credentials) => post('token', credentials, 'grant_type=client_credentials');
/** Likewise at another process of it. */
const anotherProcess = async (variables = {}) => {
  const ask = await instanceOf(stage, 'issue-token', variables);
  return (endpoint: string, credentials: Credentials, body = 'grant_type=client_credentials') =>
    ask(`/oauth2/${endpoint}`, { method: 'POST', headers: form(credentials), body });
};

describe.each([
  ['openid-client', withOpenidClient],
  ['oauth4webapi', withOauth4webapi],
])('%s', (_, open) => {
  test('M-12 I-01 V-01 needs only discovery to fetch a token, use, introspect and revoke it', async () => {
    const client = open(stage);
    const token = await client.fetch(partner);
    const said = async () => [await client.use(token, partner), await client.introspect(token, partner)];

    expect(await said()).toEqual([200, true]);
    await client.revoke(token, partner);
    expect(await said()).toEqual([401, false]);
    await expect(client.fetch({ ...partner, clientSecret: 'wrong' })).rejects.toMatchObject({
      cause: [{ scheme: 'basic' }],
    });
  });
});

test('J-10 J-11 oauth4webapi and jose accept an access token as RFC 9068 requires', async () => {
  const { token } = await aPartnerProgram(stage, partner);
  const audience = `${stage.baseUrl}/api/v2`;
  const insecure = { [oauth4webapi.allowInsecureRequests]: true };
  const issuer = new URL(stage.authUrl);
  const discovered = await oauth4webapi.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  const server = await oauth4webapi.processDiscoveryResponse(issuer, discovered);
  const request = new Request(audience, { headers: { authorization: `Bearer ${token}` } });

  const claims = await oauth4webapi.validateJwtAccessToken(server, request, audience, insecure);
  const keys = (await (await stage.ask('GET', '/oauth2/jwks')).json()) as { keys: [] };
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys), { audience, typ: 'at+jwt' });

  const { clientId } = partner;
  expect(claims).toMatchObject({ client_id: clientId, sub: clientId, scope: 'nop2/read nop2/write' });
  expect(payload).toEqual(claims);
});

test('O-55 S-79 wrong secrets are refused, logged, counted by cause, and finally ignored by every process', async () => {
  const guessed = await aClient();
  const wrong = { ...guessed, clientSecret: 'wrong' };
  const statuses: number[] = [];
  for (let n = 0; n < 21; n += 1) statuses.push((await tokenFor(wrong)).status);

  expect(statuses).toEqual([...Array(20).fill(401), 429]);
  expect((await (await anotherProcess())('token', guessed)).status).toBe(429);
  expect(
    stage.logged('CLIENT_REFUSED').filter(({ clientId }) => clientId === guessed.clientId)[0],
  ).toMatchObject({ service: 'issue-token', reason: 'wrong-secret' });
  expect(stage.reported().find(({ cause }) => cause === 'wrong-secret')).toMatchObject({
    ...{ service: 'issue-token', RefusedClients: 1 },
  });
  await stage.passTime(60_000);
  expect((await tokenFor(guessed)).status).toBe(200);
});

test('V2-13 S-40 a change of the secret is one of the ten that all functions and processes count', async () => {
  const busy = await aClient();
  await toNext(10 * minute);
  const statuses: number[] = [];
  const other = await anotherProcess();
  for (let n = 0; n < 9; n += 1) statuses.push((await post('secret', busy)).status);
  const program = await aPartnerProgram(stage, busy, everyScope);
  const signature = await program.write('POST', '/api/v2/webhook/signature', {});

  expect(statuses).toContain(201);
  expect(signature.status).not.toBe(429);
  expect((await other('secret', busy, '')).status).toBe(429);
});

test('S-20 V2-13 what cannot be stored beside a token or a change refuses nobody, and is logged', async () => {
  const fresh = await aClient();
  stage.fault(({ caller, input }) =>
    caller === 'issue-token' && /"(RATE|DONE)#|SET #id = :day/.test(JSON.stringify(input))
      ? 'InternalServerError'
      : undefined,
  );

  const token = await tokenFor(fresh);
  const change = await post('secret', fresh);
  stage.fault();

  expect([token.status, change.status]).toEqual([200, 201]);
  for (const code of ['SECRET_USE_NOT_NOTED', 'RATE_NOT_COUNTED', 'CHANGE_NOT_NOTED'])
    expect(stage.logged(code)).toContainEqual(
      expect.objectContaining({ service: 'issue-token', clientId: fresh.clientId }),
    );
});

test('V2-13 S-18 S-28 S-57 a second secret works beside the first, is told once, and is stored and logged nowhere', async () => {
  const client = await aClient();
  const first = await post('secret', client, 'overlap_hours=1', { 'Idempotency-Key': 'secret' });
  const again = await post('secret', client, 'overlap_hours=1', { 'Idempotency-Key': 'secret' });
  const clientSecret: string = first.body.client_secret;
  const tokens = [await tokenFor({ ...client, clientSecret }), await tokenFor(client)];

  expect([first, again].map(({ status }) => status)).toEqual([201, 200]);
  expect(again.body).not.toHaveProperty('client_secret');
  expect(tokens.map(({ status }) => status)).toEqual([200, 200]);
  const kept = async (table: 'PARTNERS_TABLE' | 'REQUESTS_TABLE' | 'AUDIT_TABLE') =>
    (await documents().send(new ScanCommand({ TableName: stage.variables[table] }))).Items ?? [];
  const [partnersItems, requests, audit] = await Promise.all([
    kept('PARTNERS_TABLE'),
    kept('REQUESTS_TABLE'),
    kept('AUDIT_TABLE'),
  ]);
  for (const secret of [clientSecret, client.clientSecret])
    expect(JSON.stringify([partnersItems, requests, audit]) + stage.written()).not.toContain(secret);
  const ofChange = (items: Record<string, unknown>[]) =>
    items.filter(({ command }) => command === 'partner rotate-secret');
  expect(ofChange(audit).length).toBeGreaterThan(0);
  expect(ofChange(partnersItems)).toEqual(expect.arrayContaining(ofChange(audit)));
});

test('V-01 M-10 the token of a key that this process has not seen can be revoked', async () => {
  const unseen = await generateKey('RS256');
  const access = { documents: documents(), partnersTable: stage.variables.PARTNERS_TABLE };
  const ring = await openStageKeys(stage).ringOf('access');
  await tokenFor(partner);
  await createRingStore(access).replace('access', {
    ...{ revision: ring.revision + 1, entries: [...ring.entries, ...aRing([unseen]).entries] },
  });
  const { clientId } = partner;
  const claims = { clientId, scopes: [], jti: 's1.fresh', lifetime: lifetimeOf({}, {}, new Date()) };
  const names = { issuer: stage.authUrl, audience: `${stage.baseUrl}/api/v2` };
  const fresh = await signAccessToken(claims, { ...names, key: await heldKeys([unseen]).active() });

  const { status } = await post('revoke', partner, `token=${fresh}`);

  const revoked = { TableName: stage.variables.REQUESTS_TABLE };
  const { Items = [] } = await documents().send(new ScanCommand(revoked));
  expect(status).toBe(200);
  expect(Items.map(({ pk }) => pk)).toContain('REVOKED#s1.fresh');
});

test.each([
  [
    ...(['issue-token', 'AccessKeys', '/oauth2/token'] as const),
    () => ({ method: 'POST', headers: form(partner), body: grantBody }),
  ],
  ['v1-transaction', 'SessionKeys', '/api/transaction', () => ({ headers: { Origin: shop } })],
] as const)(
  'S-70 %s that cannot read %s signs nothing, and the log says so',
  async (name, secret, path, ask) => {
    const started = await instanceOf(stage, name);
    stage.fault(({ target, input }) =>
      target === 'secretsmanager.GetSecretValue' && String(input.SecretId).includes(secret)
        ? 'InternalServiceError'
        : undefined,
    );

    const { status } = await started(path, ask());
    stage.fault();

    expect(status).toBeGreaterThanOrEqual(500);
    expect(stage.logged('SIGNING_FAILED')).toContainEqual(
      expect.objectContaining({ service: name, level: 'ERROR' }),
    );
  },
);

type Request = (token: string) => Promise<{ status: number; headers: object }>;
/** Each function of V2, with a request, and its answer to a partner that may make it. */
const ofV2 = [
  { name: 'v2-read', path: '/api/v2/transaction/none', ask: {}, status: 404 },
  { name: 'v2-write', path: '/api/v2/transaction/none', ask: sending('PATCH', {}), status: 404 },
  { name: 'v2-partner', path: '/api/v2/partner', ask: {}, status: 200 },
] as const;

describe('every function of V2', () => {
  const open = async ({ name, path, ask }: (typeof ofV2)[number], variables = {}): Promise<Request> => {
    const started = await instanceOf(stage, name, variables);
    const { headers, ...request }: Ask = ask;
    return (token) =>
      started(path, { ...request, headers: { ...headers, Authorization: `Bearer ${token}` } });
  };
  const statusesOf = async (request: Request, token: string, count: number) => {
    const statuses: number[] = [];
    for (let n = 0; n < count; n += 1) statuses.push((await request(token)).status);
    return statuses;
  };
  const token = async (credentials: Credentials) =>
    (await aPartnerProgram(stage, credentials, everyScope)).token;

  test('M-11 R-30 takes tokens of its own issuer and audience alone, for an hour', async () => {
    const elsewhere = { AUTH_URL: 'https://auth.example', API_AUDIENCE: 'https://api.example/api/v2' };
    const { AUTH_URL, API_AUDIENCE } = elsewhere;
    const theirs = (await (await anotherProcess(elsewhere))('token', partner)).body.access_token;
    const own = await token(partner);
    expect(decoded(theirs).claims).toMatchObject({ iss: AUTH_URL, aud: API_AUDIENCE, sub: partner.clientId });
    const kept: Request[] = [];
    for (const one of ofV2) {
      const [here, there] = [await open(one), await open(one, elsewhere)];
      const mixed = [await open(one, { AUTH_URL }), await open(one, { API_AUDIENCE })];
      const refused = [await here(theirs), await there(own)];
      for (const request of mixed) refused.push(await request(own));
      kept.push(here);

      expect([one.name, (await here(own)).status, (await there(theirs)).status]).toEqual([
        ...[one.name, one.status, one.status],
      ]);
      expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
      expect(refused[1]?.headers).toMatchObject({
        'WWW-Authenticate':
          'Bearer realm="api", error="invalid_token", resource_metadata="https://api.example/.well-known/oauth-protected-resource/api/v2"',
      });
    }

    await stage.passTime(3_661_000);

    expect(await Promise.all(kept.map(async (here) => (await here(own)).status))).toEqual([401, 401, 401]);
    expect((await post('introspect', partner, `token=${own}`)).body).toEqual({ active: false });
  });

  test('V-01 refuses a token that was revoked, and takes another of its partner', async () => {
    const [revoked, other] = [await token(partner), await token(partner)];
    await post('revoke', partner, `token=${revoked}`);

    for (const one of ofV2) {
      const request = await open(one);
      const answers = [await request(revoked), await request(other)];
      expect([one.name, ...answers.map(({ status }) => status)]).toEqual([one.name, 401, one.status]);
    }
  });

  test('S-40 counts all tokens of a partner at one rate over all processes, by the table', async () => {
    const of31 = { PARTNER_REQUESTS_PER_MINUTE: '31' };
    await toNext(minute);

    for (const one of ofV2) {
      const credentials = await aClient();
      const [first, second] = [await open(one, of31), await open(one, of31)];
      const [some, other] = [await token(credentials), await token(credentials)];

      expect([one.name, ...(await statusesOf(first, some, 31))]).toEqual([
        ...[one.name, ...Array(31).fill(one.status)],
      ]);
      const refused = await first(other);
      expect(await statusesOf(second, some, 30)).toEqual([...Array(29).fill(one.status), 429]);
      expect(refused).toMatchObject({ status: 429, headers: { 'RateLimit-Policy': '"partner";q=31;w=60' } });
    }
  });

  test('S-40 answers requests that cannot be counted, and its log says so', async () => {
    const credentials = await aClient();
    const { clientId } = credentials;
    const own = await token(credentials);
    stage.fault(({ input }) =>
      JSON.stringify(input).includes(`"RATE#`) ? 'InternalServerError' : undefined,
    );
    for (const one of ofV2) {
      const request = await open(one, { PARTNER_REQUESTS_PER_MINUTE: '31' });
      expect(await statusesOf(request, own, 30)).toEqual(Array(30).fill(one.status));
    }
    stage.fault();

    for (const { name } of ofV2)
      expect(stage.logged('RATE_NOT_COUNTED')).toContainEqual(
        expect.objectContaining({ service: name, clientId }),
      );
  });
});
