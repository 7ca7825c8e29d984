import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { createPartnerStore } from '../../../bin/operator/store/partners/store.ts';
import type { handler as issueTokenHandler } from '../../../functions/issue-token/index.ts';
import { generateKey } from '../../../functions/rotate-keys/key-material.ts';
import { lifetimeOf, signAccessToken } from '../../../functions/shared/auth/access-token.ts';
import { toStoredSecret } from '../../../functions/shared/auth/client-secret.ts';
import { firstRing } from '../../../functions/shared/domain/keys/key-ring.ts';
import { createDeliveryLogStore } from '../../../functions/shared/store/debounce/delivery-log.ts';
import { createRingStore } from '../../../functions/shared/store/keys/ring-store.ts';
import type { handler as v2PartnerHandler } from '../../../functions/v2-partner/index.ts';
import { accessKeys, audience, authUrl, basic, pepper, toEvent } from '../../support/apis/token-service.ts';
import { read } from '../../support/apis/v2-read.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { type Ask, httpEvent } from '../../support/builders/http-event.ts';
import { aRing, heldKeys, onePepper } from '../../support/builders/key-rings.ts';
import { startFunction } from '../../support/engine/start-place.ts';
import { templatesOf } from '../../support/engine/templates.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { type Asked, askedOf } from '../../support/rights/asked.ts';
import { startRecorder } from '../../support/rights/recorder.ts';
import { isAllowed } from '../../support/rights/rights.ts';

/** Both functions as they are wired, over an engine, a queue and secrets that note what they are asked. */
const engine = useEngine();
const { service } = templatesOf('production');
const clientSecret = 'Secret0123456789'.repeat(4);
const partner = aPartner({ createdAtMs: Date.parse('2026-01-01T00:00:00Z') });
const { clientId } = partner;
const other = aPartner({ clientId: 'OTHER', name: 'Other', webhookUrl: 'https://other.example/hook' });
const aStoredSecret = () =>
  toStoredSecret(clientSecret, { id: 's1', madeBy: 'ada', peppers: onePepper(pepper), nowMs: 0 });

let recorder: Awaited<ReturnType<typeof startRecorder>>;
let queueAndSecrets: Server;
let issueToken: typeof issueTokenHandler;
let v2Partner: typeof v2PartnerHandler;
const asked: Asked[] = [];
const sent: { QueueUrl: string; Entries: { MessageBody: string; MessageGroupId: string }[] }[] = [];
const lines: string[] = [];

const secretTexts: Record<string, string> = { access: JSON.stringify({ keys: accessKeys }), pepper };

beforeAll(async () => {
  recorder = await startRecorder(engine.endpoint, (target, body) => {
    asked.push(...askedOf(target, body));
    return [];
  });
  queueAndSecrets = createServer(async (request, response) => {
    const body = JSON.parse((await buffer(request)).toString());
    response.setHeader('Content-Type', 'application/x-amz-json-1.1');
    if (body.QueueUrl) sent.push(body);
    const SecretString = secretTexts[body.SecretId ?? ''];
    response.end(JSON.stringify(body.QueueUrl ? { Successful: [], Failed: [] } : { SecretString }));
  });
  await new Promise<void>((resolve) => queueAndSecrets.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(queueAndSecrets.address() as AddressInfo).port}`;
  Object.assign(process.env, {
    ...{ BASE_URL: 'https://api.example', AUTH_URL: authUrl, API_AUDIENCE: audience },
    ...{ TRANSACTIONS_TABLE: 'Transactions', PARTNERS_TABLE: 'Partners', DEBOUNCE_TABLE: 'Debounce' },
    ...{ REQUESTS_TABLE: 'Requests', AUDIT_TABLE: 'Audit', ENDPOINT_QUEUE: `${address}/endpoints.fifo` },
    ...{ EVENT_SOURCE: 'svc.staging.online-payments', STAGE: 'staging', PARTNER_REQUESTS_PER_MINUTE: '300' },
    LOOPBACK_ENDPOINTS: 'refused',
    ...{ ACCESS_KEYS_SECRET: 'access', PEPPER_SECRET: 'pepper' },
    ...{ AWS_ENDPOINT_URL_DYNAMODB: recorder.endpoint, AWS_ENDPOINT_URL_SQS: address },
    ...{ AWS_ENDPOINT_URL_SECRETS_MANAGER: address, AWS_REGION: 'eu-west-2' },
    ...{ AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
  });
  const access = { documents: engine.documents, partnersTable: 'Partners' };
  const rings = createRingStore(access);
  await rings.replace('access', aRing(accessKeys));
  await rings.replace('pepper', firstRing([{ kid: '0' }], 0));
  await createPartnerStore(access).create({ partner, secrets: [aStoredSecret()] }, 'first-signature');
  await createPartnerStore(access).create({ partner: other, secrets: [aStoredSecret()] }, 'of-other');
  const keep = (line: unknown) => lines.push(String(line)) > 0;
  jest.spyOn(process.stdout, 'write').mockImplementation(keep);
  jest.spyOn(process.stderr, 'write').mockImplementation(keep);
  for (const level of ['info', 'error', 'warn', 'log'] as const)
    jest.spyOn(console, level).mockImplementation(keep);
  // Node loads a module once for a process: another file may have loaded these with variables of its own.
  v2Partner = await startFunction('v2-partner');
  issueToken = await startFunction('issue-token');
});

afterAll(() => {
  jest.restoreAllMocks();
  recorder.stop();
  queueAndSecrets.close();
});

/** What a function did at the tables and its role does not allow. */
const refusedBy = (name: string) => asked.splice(0).filter((one) => !isAllowed(service, name, one));

const context = { awsRequestId: 'request-1' } as Context;

const askToken = async (
  path: string,
  body: string,
  headers: Record<string, string> = {},
  by = clientSecret,
) =>
  read(
    await issueToken(
      toEvent({
        ...{ path, body },
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: basic(clientId, by),
          ...headers,
        },
      }) as APIGatewayProxyEvent,
      context,
    ),
  );

const tokenBy = async (by?: string) => askToken('/oauth2/token', 'grant_type=client_credentials', {}, by);

let token = '';
const ask = async (path: string, { headers, ...more }: Ask = {}) => {
  token ||= (await tokenBy()).body.access_token;
  asked.length = 0;
  return read(
    await v2Partner(
      httpEvent(path, { headers: { Authorization: `Bearer ${token}`, ...headers }, ...more }),
      context,
    ),
  );
};

const jsonBody = (method: string, body: object) => ({
  ...{ method, body: JSON.stringify(body) },
  headers: { 'Content-Type': 'application/json' },
});

const itemsOf = async (TableName: string) =>
  (await engine.documents.send(new ScanCommand({ TableName }))).Items ?? [];
const itemOf = async (pk: string) => (await itemsOf('Partners')).find((item) => item.pk === pk);

test('V2-13 the address is in the record, the queue is notified of the partner, and both tables have the audit record', async () => {
  const { status, body } = await ask('/api/v2/webhook', jsonBody('PUT', { url: 'https://new.example/hook' }));

  expect(refusedBy('v2-partner')).toEqual([]);
  expect([status, body.state]).toEqual([202, 'verifying']);
  expect((await itemOf(`PARTNER#${clientId}`))?.webhook).toMatchObject({
    webhookUrl: 'https://new.example/hook',
    webhookChange: { by: 'partner' },
  });
  expect(sent).toMatchObject([
    {
      QueueUrl: process.env.ENDPOINT_QUEUE,
      Entries: [{ MessageBody: JSON.stringify({ clientId }), MessageGroupId: clientId }],
    },
  ]);
  const ofAudit = (items: Record<string, unknown>[]) =>
    items.filter(({ command }) => command === 'partner set-webhook');
  const [record] = ofAudit(await itemsOf('Partners'));
  expect(record).toMatchObject({ who: 'Acme', caller: `partner/${clientId}` });
  expect(ofAudit(await itemsOf('Audit'))).toEqual([record]);
  expect((await itemsOf('Audit')).filter(({ pk }) => String(pk).startsWith('DONE#'))).toMatchObject([
    { sk: record?.sk },
  ]);
});

test('V2-13 S-47 a stage in AWS takes no address of this machine', async () => {
  const { status, body } = await ask('/api/v2/webhook', jsonBody('PUT', { url: 'http://127.0.0.1:9000/' }));

  expect([status, body.errors[0].field]).toEqual([422, 'url']);
});

test('V2-13 S-27 S-57 a next signature is made, kept once, shown once, and chosen without being read', async () => {
  const keyed = { method: 'POST', headers: { 'Idempotency-Key': 'next' } };

  const first = await ask('/api/v2/webhook/signature', keyed);
  expect(refusedBy('v2-partner')).toEqual([]);
  const again = await ask('/api/v2/webhook/signature', keyed);
  const value = first.body.signature;
  expect([first.status, again.status, again.body.signature]).toEqual([201, 200, undefined]);
  expect(await itemOf(`WEBHOOK#${clientId}`)).toMatchObject({ signature: 'first-signature', next: value });
  const elsewhere = [
    ...(await itemsOf('Partners')).filter(({ pk }) => pk !== `WEBHOOK#${clientId}`),
    ...(await itemsOf('Requests')),
    ...(await itemsOf('Audit')),
    ...lines,
  ];
  expect(JSON.stringify(elsewhere)).not.toContain(value);

  const switched = await ask('/api/v2/webhook', jsonBody('PATCH', { signature: 'next' }));

  expect(refusedBy('v2-partner')).toEqual([]);
  expect(switched.status).toBe(200);
  expect(await itemOf(`WEBHOOK#${clientId}`)).toMatchObject({ signature: value });
  expect(await itemOf(`WEBHOOK#${clientId}`)).not.toHaveProperty('next');
});

test('V2-13 S-18 S-57 a second secret counts beside the first, and is nowhere in clear', async () => {
  const key = { 'idempotency-key': 'secret' };
  asked.length = 0;
  const first = await askToken('/oauth2/secret', 'overlap_hours=1', key);
  expect(refusedBy('issue-token')).toEqual([]);
  const again = await askToken('/oauth2/secret', 'overlap_hours=1', key);

  const fresh = first.body.client_secret;
  expect([first.status, again.status, again.body.client_secret]).toEqual([201, 200, undefined]);
  expect([(await tokenBy(fresh)).status, (await tokenBy()).status]).toEqual([200, 200]);
  const everything = [...(await Promise.all(['Partners', 'Requests', 'Audit'].map(itemsOf))), lines];
  for (const secret of [fresh, clientSecret]) expect(JSON.stringify(everything)).not.toContain(secret);
});

test('V2-13 S-40 both functions count the same ten changes', async () => {
  const counted = (await itemsOf('Requests')).filter(({ sk }) => String(sk).startsWith('self-service#'));

  // A window of the clock may have begun in between.
  const shares = counted.flatMap(({ pk, shares }) => [...(shares as Set<string>)].map(() => pk));
  expect(shares).toEqual(Array(4).fill(`RATE#${clientId}`));
});

test('S-04 V2-13 nothing of it was about another partner', async () => {
  const { webhookUrl, ...record } = other;
  expect(await itemOf('PARTNER#OTHER')).toMatchObject({ partner: record, webhook: { webhookUrl } });
  expect(await itemOf('WEBHOOK#OTHER')).toMatchObject({ signature: 'of-other' });
  expect(sent.flatMap(({ Entries }) => Entries.map(({ MessageGroupId }) => MessageGroupId))).toEqual(
    Array(3).fill(clientId),
  );
});

const profile = { pk: { S: `PARTNER#${clientId}` }, sk: { S: 'PROFILE' } };
const signature = { pk: { S: `WEBHOOK#${clientId}` }, sk: { S: 'SIGNATURE' } };
const names = { ExpressionAttributeNames: { '#partner': 'partner' } };

test.each<[string, string, object]>([
  ['read a signature', 'GetItem', { Key: signature }],
  [
    'have a signature returned',
    'UpdateItem',
    { Key: signature, UpdateExpression: 'SET signature = :mine', ReturnValues: 'ALL_OLD' },
  ],
  ['replace a signature as a whole', 'PutItem', { Item: signature }],
  ['set secrets', 'UpdateItem', { Key: profile, UpdateExpression: 'SET secrets = :mine' }],
  [
    'set what keep-endpoints has reached',
    'UpdateItem',
    { Key: profile, UpdateExpression: 'SET endpoint = :on' },
  ],
  [
    'bring ended tokens back beside a change',
    'UpdateItem',
    { Key: profile, UpdateExpression: 'SET webhook = :mine REMOVE tokensFromMs' },
  ],
  ['set grants', 'UpdateItem', { Key: profile, UpdateExpression: 'SET #partner.grants = :all', ...names }],
  [
    'set OAuth scopes',
    'UpdateItem',
    { Key: profile, UpdateExpression: 'SET #partner.oauthScopes = :all', ...names },
  ],
  [
    'enable a partner',
    'UpdateItem',
    { Key: profile, UpdateExpression: 'SET #partner.enabled = :yes', ...names },
  ],
  [
    'set a record beside its webhook',
    'UpdateItem',
    { Key: profile, UpdateExpression: 'SET webhook = :mine, #partner = :mine', ...names },
  ],
  ['replace a profile', 'PutItem', { Item: profile }],
  ['read hashes', 'BatchGetItem', { Key: { pk: { S: `HASHES#${clientId}` }, sk: { S: 'HASHES' } } }],
  [
    'turn the switch of all webhooks',
    'UpdateItem',
    { Key: { pk: { S: 'STAGE' } }, UpdateExpression: 'SET a = :b' },
  ],
])('S-80 V2-13 v2-partner may not %s', (_what, action, request) => {
  const one = askedOf(
    `DynamoDB_20120810.${action}`,
    JSON.stringify({ TableName: 'transactions-production-data-Partners', ...request }),
  );

  expect(one.every((each) => isAllowed(service, 'v2-partner', each))).toBe(false);
});

test('EV-8 V2-12 a test message has the source and the region of its stage', async () => {
  const { status, body } = await ask('/api/v2/webhook/test', { method: 'POST' });

  expect(status).toBe(202);
  const access = { documents: engine.documents, debounceTable: 'Debounce', clock: () => new Date() };
  const { bodies } = (await createDeliveryLogStore(access).event(body.id)) ?? {};
  expect(JSON.parse(bodies?.plain ?? '')).toMatchObject({
    source: 'svc.staging.online-payments',
    region: 'eu-west-2',
  });
});

test('V-01 M-10 the token of a key that issue-token has not seen yet is revoked', async () => {
  const key = await generateKey('RS256');
  const rings = createRingStore({ documents: engine.documents, partnersTable: 'Partners' });
  await rings.replace('access', { ...aRing([...accessKeys, key]), revision: 2 });
  const { active } = heldKeys([key]);
  const fresh = await signAccessToken(
    { clientId, scopes: [], jti: 's1.fresh', lifetime: lifetimeOf({}, {}, new Date()) },
    { key: await active(), issuer: authUrl, audience },
  );

  const { status } = await askToken('/oauth2/revoke', `token=${fresh}`);

  expect(status).toBe(200);
  expect((await itemsOf('Requests')).map(({ pk }) => pk)).toContain('REVOKED#s1.fresh');
});

test('S-70 a key that cannot be read is said in the log, where an alarm looks for it', async () => {
  secretTexts.access = 'no keys';
  issueToken = await startFunction('issue-token');

  const { status } = await tokenBy();

  expect(status).toBe(500);
  expect(lines.join('\n')).toContain('SIGNING_FAILED');
});
