import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { JWK } from 'jose';
import { createPartnerStore } from '../../../bin/operator/store/partners/store.ts';
import { generateKey } from '../../../functions/rotate-keys/key-material.ts';
import { lifetimeOf, signAccessToken } from '../../../functions/shared/auth/access-token.ts';
import { toStoredSecret } from '../../../functions/shared/auth/client-secret.ts';
import { firstRing, type RingEntry } from '../../../functions/shared/domain/keys/key-ring.ts';
import { selfServicePolicy, windowStartOf } from '../../../functions/shared/domain/rate-limit.ts';
import { createRingStore } from '../../../functions/shared/store/keys/ring-store.ts';
import { createRequestCounts } from '../../../functions/shared/store/requests/request-counts.ts';
import { basic, decoded, pepper, toEvent } from '../../support/apis/token-service.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { aRing, heldKeys, onePepper } from '../../support/builders/key-rings.ts';
import { templatesOf } from '../../support/engine/templates.ts';
import { refusal, secretIds } from '../../support/functions/aws.ts';
import { heldAtMs, itemsOf, useFunctions } from '../../support/functions/use-functions.ts';
import { isAllowed } from '../../support/rights/rights.ts';

const functions = useFunctions();
const { service } = templatesOf('production');
const clientSecret = 'Secret0123456789'.repeat(4);
const partner = aPartner({ clientId: 'CLIENT', name: 'Client' });
const { clientId } = partner;

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;
let key: JWK;
let ask: Awaited<ReturnType<typeof start>>;

const access = () => ({ documents: functions.documents, partnersTable: 'Partners' });
const holdKeys = (keys: JWK[]) => functions.aws.secrets.write(secretIds.access, JSON.stringify({ keys }));

/** Another process of the function: it knows what the tables know. */
const start = async () => {
  const handler: Handler = await functions.start('issue-token');
  return async (path: string, body = '', headers: Record<string, string> = {}, by = clientSecret) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', authorization: basic(clientId, by) };
    const method = path.startsWith('/oauth2/') && !path.endsWith('jwks') ? 'POST' : 'GET';
    const event = toEvent({ path, body, method, headers: { ...form, ...headers } });
    const answer = await handler(event, {} as Context);
    return {
      status: answer.statusCode,
      headers: answer.headers ?? {},
      body: JSON.parse(answer.body || '{}'),
    };
  };
};
const tokenBy = (by?: string, from = ask) => from('/oauth2/token', 'grant_type=client_credentials', {}, by);

beforeAll(async () => {
  key = await generateKey('RS256');
  await holdKeys([key]);
  await functions.aws.secrets.write(secretIds.pepper, pepper);
  const rings = createRingStore(access());
  await rings.replace('access', { ...aRing([key]), revision: 2 });
  await rings.replace('pepper', firstRing([{ kid: '0' }], 0));
  const about = { id: 's1', madeBy: 'ada', peppers: onePepper(pepper), nowMs: 0 };
  await createPartnerStore(access()).create({ partner, secrets: [toStoredSecret(clientSecret, about)] }, 's');
  ask = await start();
});
beforeEach(() => {
  functions.aws.calls.length = 0;
});
/** What the function did at the tables and its role does not allow. */
const refusedRequests = () => functions.aws.asked().filter((one) => !isAllowed(service, 'issue-token', one));

test('TOK-1 S-20 a token names issuer, client and time, and is unique; the use of its secret is stored', async () => {
  const answering = tokenBy();
  functions.pass(1);
  const { body } = await answering;
  functions.pass(-1);
  const other = await tokenBy();

  const { header, claims } = decoded(body.access_token);
  expect(header.kid).toBe(key.kid);
  expect(claims).toMatchObject({
    ...{ iss: 'https://auth.example', aud: 'https://resource.example/api/v2', sub: clientId },
    iat: heldAtMs / 1000,
  });
  expect(decoded(other.body.access_token).claims.jti).not.toBe(claims.jti);
  expect((await itemsOf(functions, 'Partners')).find(({ pk }) => pk === `USE#${clientId}`)).toMatchObject({
    s1: '2026-03-01',
  });
  expect(functions.logged('HTTP_ANSWERED')[0]).toMatchObject({
    ...{ service: 'issue-token', clientId, durationMs: 1_000 },
  });
  expect(refusedRequests()).toEqual([]);
});

test('M-03 M-07 R-30 its documents name the stage, and show the keys of the ring', async () => {
  const metadata = await ask('/.well-known/oauth-authorization-server');
  const resource = await ask('/.well-known/oauth-protected-resource');
  const keys = await ask('/oauth2/jwks');
  const nothing = await ask('/oauth2/nothing');

  expect(metadata.body.issuer).toBe('https://auth.example');
  expect(resource.body.resource).toBe('https://resource.example/api/v2');
  expect(keys.body.keys.map(({ kid }: JWK) => kid)).toEqual([key.kid]);
  expect([nothing.status, nothing.body.error]).toEqual([404, 'invalid_request']);
});

test('O-55 S-79 wrong secrets are refused, logged, counted by cause, and finally ignored by every process', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 21; n += 1) statuses.push((await tokenBy('wrong')).status);

  expect(statuses).toEqual([...Array(20).fill(401), 429]);
  expect((await tokenBy(clientSecret, await start())).status).toBe(429);
  expect(functions.logged('CLIENT_REFUSED')[0]).toMatchObject({
    ...{ service: 'issue-token', clientId, reason: 'wrong-secret' },
  });
  expect(functions.reported()[0]).toEqual({
    service: 'issue-token',
    cause: 'wrong-secret',
    RefusedClients: 1,
  });
  functions.pass(60);
  expect((await tokenBy()).status).toBe(200);
});

test('S-20 a use that cannot be stored refuses nobody, and the metric is reported', async () => {
  functions.pass(86_400);
  functions.aws.interfere(({ body }) =>
    body.includes('SET #id = :day') ? refusal('InternalServerError') : undefined,
  );

  const { status } = await tokenBy();
  functions.aws.interfere();

  expect(status).toBe(200);
  expect(functions.logged('SECRET_USE_NOT_NOTED')).toMatchObject([{ service: 'issue-token', clientId }]);
});

test('I-01 V-01 R-42 a token is active until it is revoked or expires', async () => {
  const isActive = async (token: string) =>
    (await ask('/oauth2/introspect', `token=${token}`)).body.active as boolean;
  const [revoked, old] = [(await tokenBy()).body.access_token, (await tokenBy()).body.access_token];
  const before = [await isActive(revoked), await isActive(old)];

  const { status } = await ask('/oauth2/revoke', `token=${revoked}`);

  expect([status, before]).toEqual([200, [true, true]]);
  expect([await isActive(revoked), await isActive(old)]).toEqual([false, true]);
  functions.pass(3_600);
  expect(await isActive(old)).toBe(false);
  expect(refusedRequests()).toEqual([]);
});

test('V2-13 S-40 a change of the secret is one of the ten that all functions and processes count', async () => {
  functions.pass(600);
  const { documents } = functions;
  const { addShare } = createRequestCounts({ documents, requestsTable: 'Requests', random: randomBytes });
  const startSeconds = windowStartOf(selfServicePolicy, Date.now());
  for (let n = 0; n < 8; n += 1) await addShare({ clientId, policy: selfServicePolicy, startSeconds });
  const answers = [
    await ask('/oauth2/secret'),
    await (await start())('/oauth2/secret'),
    await ask('/oauth2/secret'),
  ];

  expect(answers.map(({ status }) => status)).toEqual([201, 201, 429]);
  expect(answers[0]?.body.client_secret).not.toBe(answers[1]?.body.client_secret);
});

test('V2-13 failures beside a change do not undo it, and the metric is reported', async () => {
  functions.pass(600);
  functions.aws.interfere(({ body }) =>
    /RATE#|DONE#/.test(body) ? refusal('InternalServerError') : undefined,
  );

  const { status } = await ask('/oauth2/secret');
  functions.aws.interfere();

  expect(status).toBe(201);
  for (const code of ['RATE_NOT_COUNTED', 'CHANGE_NOT_NOTED'])
    expect(functions.logged(code)).toMatchObject([{ service: 'issue-token', clientId }]);
});

test('V2-13 S-18 S-57 a second secret works beside the first, and is stored nowhere in clear text', async () => {
  const keyed = { 'idempotency-key': 'secret' };
  const first = await ask('/oauth2/secret', 'overlap_hours=1', keyed);
  const again = await ask('/oauth2/secret', 'overlap_hours=1', keyed);

  expect(refusedRequests()).toEqual([]);
  const fresh = first.body.client_secret;
  expect([first.status, again.status, again.body.client_secret]).toEqual([201, 200, undefined]);
  expect([(await tokenBy(fresh)).status, (await tokenBy()).status]).toEqual([200, 200]);
  const everything = await Promise.all(
    ['Partners', 'Requests', 'Audit'].map((table) => itemsOf(functions, table)),
  );
  for (const secret of [fresh, clientSecret])
    expect(JSON.stringify([everything, functions.written()])).not.toContain(secret);
  const [partners = [], , audit = []] = everything;
  const [record] = partners.filter(({ command }) => command === 'partner rotate-secret');
  expect(audit.find(({ command }) => command === 'partner rotate-secret')).toEqual(record);
});

test('TOK-3 a secret is hashed with a new pepper when its time has come, as ring and secret say then', async () => {
  await tokenBy();
  const signsFromMs = Date.now() + 30_000;
  const entries: RingEntry[] = [
    { kid: '0', madeAtMs: 0, signsFromMs: 0 },
    { kid: '1', madeAtMs: 0, signsFromMs },
  ];
  const peppers = { 0: pepper, 1: 'q'.repeat(64) };
  await functions.aws.secrets.write(secretIds.pepper, JSON.stringify({ peppers }));
  await createRingStore(access()).replace('pepper', { revision: 2, entries });
  const pepperIdNow = async () => {
    await tokenBy();
    const { secrets = [] } = (await createPartnerStore(access()).credentialsOf(clientId)) ?? {};
    return secrets.find(({ id }) => id === 's1')?.pepperId;
  };

  functions.pass(21);
  const before = await pepperIdNow();
  functions.pass(9);

  expect([before, await pepperIdNow()]).toEqual(['0', '1']);
  expect(refusedRequests()).toEqual([]);
});

test('M-08 M-10 a new key signs from its time on, and a token of a retiring key is active until then', async () => {
  const next = await generateKey('RS256');
  const atMs = Date.now();
  const [former, fresh] = aRing([key, next]).entries as [RingEntry, RingEntry];
  const old = (await tokenBy()).body.access_token;
  await holdKeys([key, next]);
  await createRingStore(access()).replace('access', {
    ...{
      revision: 3,
      entries: [
        { ...former, retiresAtMs: atMs + 50_000 },
        { ...fresh, signsFromMs: atMs + 30_000 },
      ],
    },
  });
  const now = async () => ({
    signs: decoded((await tokenBy()).body.access_token).header.kid,
    isActive: (await ask('/oauth2/introspect', `token=${old}`)).body.active,
    shown: (await ask('/oauth2/jwks')).body.keys.map(({ kid }: JWK) => kid),
  });

  functions.pass(21);
  expect(await now()).toEqual({ signs: key.kid, isActive: true, shown: [key.kid, next.kid] });
  functions.pass(10);
  expect(await now()).toEqual({ signs: next.kid, isActive: true, shown: [key.kid, next.kid] });
  functions.pass(15);
  expect(await now()).toMatchObject({ isActive: true });
  functions.pass(4);
  expect(await now()).toEqual({ signs: next.kid, isActive: false, shown: [next.kid] });
});

test('V-01 M-10 the token of a key that this process has not seen can be revoked', async () => {
  const unseen = await generateKey('RS256');
  await createRingStore(access()).replace('access', { ...aRing([key, unseen]), revision: 4 });
  const fresh = await signAccessToken(
    { clientId, scopes: [], jti: 's1.fresh', lifetime: lifetimeOf({}, {}, new Date()) },
    {
      ...{ key: await heldKeys([unseen]).active(), issuer: 'https://auth.example' },
      audience: 'https://resource.example/api/v2',
    },
  );

  const { status } = await ask('/oauth2/revoke', `token=${fresh}`);

  expect(status).toBe(200);
  expect((await itemsOf(functions, 'Requests')).map(({ pk }) => pk)).toContain('REVOKED#s1.fresh');
});

test('S-70 a key that cannot be read is logged for the alarm', async () => {
  await functions.aws.secrets.write(secretIds.access, 'no keys');

  const { status } = await tokenBy(clientSecret, await start());

  expect(status).toBe(500);
  expect(functions.logged('SIGNING_FAILED')).toMatchObject([{ service: 'issue-token', level: 'ERROR' }]);
});
