import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createRevokedSessions } from '../../../bin/operator/store/session-ends.ts';
import { createStorefrontStore } from '../../../bin/operator/store/storefronts.ts';
import { generateKey } from '../../../functions/rotate-keys/key-material.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { createRingStore } from '../../../functions/shared/store/keys/ring-store.ts';
import { createUserKey } from '../../../functions/shared/store/keys/user-key.ts';
import { getTransaction } from '../../../functions/shared/store/transactions/get.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { createKeySets, KeySetUnavailable } from '../../../functions/v1-transaction/key-set.ts';
import { decoded } from '../../support/apis/token-service.ts';
import { aStorefront, shop } from '../../support/apis/v1-transaction.ts';
import { aRing } from '../../support/builders/key-rings.ts';
import { refusal, secretIds } from '../../support/functions/aws.ts';
import { askingOf, itemsOf, sending, useFunctions } from '../../support/functions/use-functions.ts';

const functions = useFunctions();
const otherShop = 'https://other.example';

/** An identity provider on this machine: OpenID Connect Discovery, a key set, and tokens that it signs. */
const startProvider = async () => {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'provider-1', alg: 'RS256', use: 'sig' };
  const pss = await generateKeyPair('PS256', { extractable: true });
  const ofAnyAlgorithm = { ...(await exportJWK(pss.publicKey)), kid: 'provider-pss', use: 'sig' };
  const asked: string[] = [];
  const keys: object[] = [jwk, ofAnyAlgorithm];
  const provider = { issuer: '', named: '', keys, pssKey: pss.privateKey, status: 200, asked, privateKey };
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const isKeySet = request.url === '/keys';
    const configuration = { issuer: provider.named, jwks_uri: `${provider.issuer}/keys` };
    response.writeHead(provider.status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(isKeySet ? { keys: provider.keys } : configuration));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  provider.named = provider.issuer;
  return Object.assign(provider, { stop: () => server.close() });
};

let provider: Awaited<ReturnType<typeof startProvider>>;
let second: typeof provider;
let asking: ReturnType<typeof askingOf>;
const start = async () => askingOf(await functions.start('v1-transaction'));

beforeAll(async () => {
  provider = await startProvider();
  second = await startProvider();
  const access = { documents: functions.documents, partnersTable: 'Partners' };
  const key = await generateKey('ES256');
  await functions.aws.secrets.write(secretIds.session, JSON.stringify({ keys: [key] }));
  await createRingStore(access).replace('session', aRing([key]));
  await createUserKey(access, 'a key of users’ sessions');
  const identityProvider = { issuer: provider.issuer, audience: 'shop', algorithm: 'RS256' } as const;
  const { register } = createStorefrontStore(access);
  await register(aStorefront('F1', 'north', { identityProvider }));
  await register(aStorefront('F1', 'south', { identityProvider, createdAtMs: 1 }));
  await register(aStorefront('F1', 'anonymous', { createdAtMs: 2 }));
  await register(
    aStorefront('F1', 'west', {
      ...{ createdAtMs: 3, identityProvider: { ...identityProvider, issuer: second.issuer } },
    }),
  );
  await register(
    aStorefront('F1', 'club', {
      ...{ createdAtMs: 4, identityProvider: { ...identityProvider, audience: 'club' } },
    }),
  );
  const retired = { origins: ['https://retired.example'], identityProvider };
  await register(aStorefront('F1', 'retired', retired));
  await createStorefrontStore(access).retire('F1 retired');
  await register(aStorefront('F1', 'stage', { origins: [], identityProvider }), { isDefault: true });
  await register(aStorefront('F2', 'other', { origins: [otherShop] }));
  await register(
    aStorefront('F2', 'sister', {
      ...{ origins: ['https://sister.example'] },
      identityProvider: { ...identityProvider, audience: 'sister' },
    }),
  );
  asking = await start();
}, 180_000);
afterAll(() => {
  provider.stop();
  second.stop();
});

type IdToken = { claims?: Record<string, unknown>; header?: object; key?: Parameters<SignJWT['sign']>[0] };

const idToken = ({ claims, header, key = provider.privateKey }: IdToken = {}) => {
  const iat = Math.floor(Date.now() / 1000);
  const payload = { iss: provider.issuer, aud: 'shop', sub: 'ada', iat, exp: iat + 3_600, ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'provider-1', ...header }).sign(key);
};

const tokenExchange = {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
};
const actorType = 'urn:ietf:params:oauth:token-type:access_token';

type Form = Record<string, string>;
const post = (form: Form, { by = asking, origin = shop, headers = {} as Form } = {}) =>
  by('/api/session', {
    method: 'POST',
    body: new URLSearchParams(form).toString(),
    headers: { Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  });

const signIn = async (of: IdToken = {}, more: Form = {}, options: Parameters<typeof post>[1] = {}) =>
  post({ ...tokenExchange, subject_token: await idToken(of), ...more }, options);

/** Signs a user in and continues an anonymous session. */
const continuing = (actor: string, sub = 'ada', options: Parameters<typeof post>[1] = {}) =>
  signIn({ claims: { sub } }, { actor_token: actor, actor_token_type: actorType }, options);

const bearing = (token: string) => ({ Authorization: `Bearer ${token}`, Origin: shop });
const read = (token: string, path = '/api/transaction?filter[status]=0&per-page=50') =>
  asking(path, { headers: bearing(token) });
const uuidsOf = async (token: string) =>
  (await read(token)).body.data.map(({ uuid }: { uuid: string }) => uuid);
const create = async (token?: string, more: Form = {}) => {
  const headers = { Origin: shop, ...(token !== undefined && bearing(token)), ...more };
  const {
    status,
    headers: answered,
    body,
  } = await asking('/api/transaction', sending('POST', { extras: { a: 1 } }, headers));
  return { status, uuid: String(body.uuid), token: String(answered['authentication-token'] ?? token) };
};
const store = () =>
  createTransactionWriter({
    ...{ documents: functions.documents, transactionsTable: 'Transactions', listingTable: 'Listing' },
    debounceTable: 'Debounce',
  });
const complete = ({ transaction, version, ...rest }: StoredTransaction): StoredTransaction => ({
  ...{ ...rest, version: version + 1 },
  transaction: { ...transaction, status: 1 },
});
const elsewhere = ({ transaction, version, ...rest }: StoredTransaction): StoredTransaction => ({
  ...{ ...rest, version: version + 1 },
  transaction: { ...transaction, ndMeta: aStorefront('F1', 'anonymous').owner },
});
const stored = (uuid: string) =>
  getTransaction({ documents: functions.documents, transactionsTable: 'Transactions' }, uuid);
/** A new user. */
const aUser = () => `user ${randomUUID()}`;
const invalidGrant = {
  error: 'invalid_grant',
  error_description:
    'A token is invalid, expired, older than 10 minutes, or not of this storefront. Sign in again, without actor_token if it was sent.',
};

test('V1-10 a user has one session on every device, with a V1 token', async () => {
  const one = await signIn();
  const other = await signIn({}, {}, { by: await start() });
  const { uuid } = await create(one.body.access_token);

  expect([one.status, one.headers['Cache-Control'], one.headers.Pragma]).toEqual([
    200,
    'no-store',
    'no-cache',
  ]);
  expect(one.headers['Access-Control-Allow-Origin']).toBe(shop);
  expect(one.body).toEqual({
    access_token: expect.any(String),
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    token_type: 'Bearer',
    expires_in: 2_592_000,
  });
  expect(one.headers['authentication-token']).toBe(one.body.access_token);
  expect(decoded(one.body.access_token)).toMatchObject({
    header: { typ: 'session+jwt', alg: 'ES256' },
    claims: { sub: expect.stringMatching(/^user-[\w-]{43}$/) },
  });
  expect(await uuidsOf(other.body.access_token)).toEqual([uuid]);
});

test('V1-10 another subject, and the same one at another provider, have other sessions', async () => {
  const sessionOf = async (of: IdToken) => decoded((await signIn(of)).body.access_token).claims.sub;
  const elsewhere = { claims: { iss: second.issuer }, key: second.privateKey };
  const of = (sub: string) => sessionOf({ claims: { sub } });

  const sessions = [await of('ada'), await of('bob'), await of('Ada'), await sessionOf(elsewhere)];

  expect(new Set(sessions).size).toBe(4);
});

test('V1-10 S-26 an anonymous checkout moves into the session of its user, and its own token is refused', async () => {
  const user = aUser();
  const anonymous = await create();
  const before = await stored(anonymous.uuid);

  const { status, body } = await continuing(anonymous.token, user);

  expect(status).toBe(200);
  expect(await uuidsOf(body.access_token)).toEqual([anonymous.uuid]);
  expect((await read(anonymous.token)).status).toBe(401);
  expect((await create(anonymous.token)).status).toBe(401);
  // Nothing but the session differs, so the stream of changes sees none.
  expect(await stored(anonymous.uuid)).toEqual({
    ...before,
    session: decoded(body.access_token).claims.sub,
  });
});

test('V1-10 a repeated move finds nothing to do, with any ID token', async () => {
  const user = aUser();
  const anonymous = await create();
  const first = await continuing(anonymous.token, user);
  functions.pass(5);
  const again = await continuing(anonymous.token, user);

  expect([first.status, again.status]).toEqual([200, 200]);
  expect(await uuidsOf(again.body.access_token)).toEqual([anonymous.uuid]);
});

test('V1-10 an ID token that is sent again within ten minutes opens the same session, and later none', async () => {
  const request = { ...tokenExchange, subject_token: await idToken() };
  const first = await post(request);
  functions.pass(599);
  const again = await post(request);
  functions.pass(2);
  const late = await post(request);

  const sessionOf = (body: { access_token: string }) => decoded(body.access_token).claims.sub;
  expect(sessionOf(again.body)).toBe(sessionOf(first.body));
  expect([late.status, late.body]).toEqual([400, invalidGrant]);
});

test('V1-10 a stolen ID token moves the checkout of nobody else', async () => {
  const victim = await create();
  const thief = await continuing(victim.token.replace(/^(.)/, 'x'), 'thief');

  expect([thief.status, thief.body]).toEqual([400, invalidGrant]);
  expect(await uuidsOf(victim.token)).toEqual([victim.uuid]);
});

const flawed: [string, () => Promise<IdToken> | IdToken][] = [
  ['another issuer', () => ({ claims: { iss: 'https://evil.example' } })],
  ['no issuer', () => ({ claims: { iss: undefined } })],
  ['another audience', () => ({ claims: { aud: 'other' } })],
  ['the audience of another storefront', () => ({ claims: { aud: 'sister' } })],
  ['another authorised party', () => ({ claims: { aud: ['shop', 'other'], azp: 'other' } })],
  [
    'another algorithm',
    async () => ({ header: { alg: 'ES256' }, key: (await generateKeyPair('ES256')).privateKey }),
  ],
  [
    'another algorithm that the key could be for',
    () => ({ header: { alg: 'PS256', kid: 'provider-pss' }, key: provider.pssKey }),
  ],
  [
    'HS256 by the public key',
    () => ({ header: { alg: 'HS256' }, key: new TextEncoder().encode(JSON.stringify(provider.keys[0])) }),
  ],
  ['another key of the same id', async () => ({ key: (await generateKeyPair('RS256')).privateKey })],
  ['a key that the provider has not', () => ({ header: { kid: 'provider-9' } })],
  ['two audiences and no authorised party', () => ({ claims: { aud: ['shop', 'other'] } })],
  ['the events of a logout token', () => ({ claims: { events: {} } })],
  ['the scope of an access token', () => ({ claims: { scope: 'openid' } })],
  ['the type of an access token', () => ({ header: { typ: 'at+jwt' } })],
  ['an end 61 s ago', () => ({ claims: { exp: Math.floor(Date.now() / 1000) - 61 } })],
  ['no end', () => ({ claims: { exp: undefined } })],
  ['a time more than ten minutes ago', () => ({ claims: { iat: Math.floor(Date.now() / 1000) - 601 } })],
  ['a time in the future', () => ({ claims: { iat: Math.floor(Date.now() / 1000) + 61 } })],
  ['no time', () => ({ claims: { iat: undefined } })],
  ['no subject', () => ({ claims: { sub: undefined } })],
  ['an empty subject', () => ({ claims: { sub: '' } })],
  ['a subject of 256 characters', () => ({ claims: { sub: 'a'.repeat(256) } })],
];

test.each(flawed)('V1-10 an ID token with %s is invalid_grant, like every other fault', async (_flaw, of) => {
  const { status, body, headers } = await signIn(await of());

  expect([status, body]).toEqual([400, invalidGrant]);
  expect([headers['Cache-Control'], headers['authentication-token']]).toEqual(['no-store', undefined]);
});

test.each([
  ['no token', 'nonsense'],
  ['alg none', `${btoa('{"alg":"none"}')}.${btoa('{"sub":"ada"}')}.`],
  ['an empty signature', 'a.b.'],
])('V1-10 %s is invalid_grant', async (_flaw, subject_token) => {
  const { status, body } = await post({ ...tokenExchange, subject_token });

  expect([status, body]).toEqual([400, invalidGrant]);
});

test('V1-10 an ID token for several audiences is accepted for the one that it was issued to', async () => {
  const { status } = await signIn({ claims: { aud: ['club', 'shop'], azp: 'shop' } });

  expect(status).toBe(200);
});

test('V1-10 a session token and a V2 token are not ID tokens', async () => {
  const anonymous = await create();
  const tokens = [anonymous.token, await functions.place.signToken()];
  const answers = await Promise.all(tokens.map((subject_token) => post({ ...tokenExchange, subject_token })));

  expect(answers.map(({ body }) => body)).toEqual([invalidGrant, invalidGrant]);
});

test.each([
  ['no grant type', { grant_type: '' }, 'invalid_request'],
  ['another grant type', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
  ['no ID token', { subject_token: '' }, 'invalid_request'],
  ['another type of the ID token', { subject_token_type: actorType }, 'invalid_request'],
  ['an actor token without its type', { actor_token: 'x' }, 'invalid_request'],
  ['the type of an actor token alone', { actor_token_type: actorType }, 'invalid_request'],
  ['another requested type', { requested_token_type: tokenExchange.subject_token_type }, 'invalid_request'],
])('V1-10 RFC 8693 a form with %s is refused by name', async (_flaw, form, error) => {
  const { status, body } = await signIn({}, form as Form);

  expect([status, body.error]).toEqual([400, error]);
});

test('V1-10 only a form is read, and never the query', async () => {
  const form = { ...tokenExchange, subject_token: await idToken() };
  const json = await asking('/api/session', sending('POST', form, { Origin: shop }));
  const inAddress = await asking(`/api/session?${new URLSearchParams(form)}`, {
    method: 'POST',
    headers: { Origin: shop, 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  const large = await signIn({}, { more: 'x'.repeat(16_384) });

  expect([json, inAddress, large].map(({ status, body }) => [status, body.error])).toEqual([
    [400, 'invalid_request'],
    [400, 'invalid_request'],
    [413, 'invalid_request'],
  ]);
});

test('V1-10 VERB-1 the address accepts only POST, with and without /api', async () => {
  const methods = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'];
  const statuses = [];
  for (const method of methods) statuses.push((await asking('/api/session', { method })).status);
  const options = await asking('/session/', { method: 'OPTIONS' });
  const anonymous = await create();
  const another = await asking('/api/transaction/session-x', { headers: bearing(anonymous.token) });

  expect(statuses).toEqual(Array(5).fill(405));
  expect([options.status, options.headers.Allow]).toEqual([204, 'POST, OPTIONS']);
  expect([another.status, another.headers['authentication-token']]).toEqual([404, anonymous.token]);
});

test.each([otherShop, 'https://retired.example'])(
  'V1-10 %s has no identity provider, and signs nobody in',
  async (origin) => {
    const { status, body } = await signIn({}, {}, { origin });

    expect([status, body.error]).toEqual([400, 'unauthorized_client']);
  },
);

test('V1-10 OWN-1 V1-7 an unknown origin has the provider of the default storefront, and no script may read the response', async () => {
  const { status, headers } = await signIn({}, {}, { origin: 'https://unknown.example' });

  expect([status, headers['Access-Control-Allow-Origin']]).toEqual([200, undefined]);
});

test.each([
  ['of another origin', { Origin: otherShop }, ''],
  ['of a location here without the identity provider', {}, '?location=anonymous'],
  ['of a location here that is another client of it', {}, '?location=club'],
])('V1-10 the checkout of an anonymous session %s stays where it is', async (_whose, headers, query) => {
  const { body, headers: answered } = await asking(`/api/transaction${query}`, {
    headers: { Origin: shop, ...headers },
  });
  const token = String(answered['authentication-token']);

  const refused = await continuing(token);

  expect([refused.status, refused.body]).toEqual([400, invalidGrant]);
  expect(await uuidsOf(token)).toEqual([body.uuid]);
});

test('V1-10 a checkout at another location with the same identity provider moves', async () => {
  const { body, headers } = await asking('/api/transaction?location=south', { headers: { Origin: shop } });
  const { status, body: answer } = await continuing(String(headers['authentication-token']), aUser());

  expect(status).toBe(200);
  expect(await uuidsOf(answer.access_token)).toEqual([body.uuid]);
});

test('V1-10 a session that another user continued, or that the operator revoked, cannot be continued', async () => {
  const [taken, ended] = [await create(), await create()];
  const owner = await continuing(taken.token, aUser());
  const { revoke } = createRevokedSessions({ documents: functions.documents, requestsTable: 'Requests' });
  await revoke(String(decoded(ended.token).claims.sub), new Date());

  const answers = [await continuing(taken.token, 'thief'), await continuing(ended.token, 'thief')];

  expect(answers.map(({ body }) => body)).toEqual([invalidGrant, invalidGrant]);
  expect(await uuidsOf(owner.body.access_token)).toEqual([taken.uuid]);
  expect(await uuidsOf((await signIn({ claims: { sub: 'thief' } })).body.access_token)).toEqual([]);
});

test('V1-10 a user’s session cannot be continued, not even by the same user', async () => {
  const user = aUser();
  const { body } = await signIn({ claims: { sub: user } });
  const answers = [await continuing(body.access_token, user), await continuing(body.access_token, 'thief')];

  expect(answers.map((answer) => answer.body)).toEqual([invalidGrant, invalidGrant]);
  expect((await read(body.access_token)).status).toBe(200);
});

test('V1-10 two devices that sign in at once both move their checkouts', async () => {
  const user = aUser();
  const [one, other] = [await create(), await create()];

  const answers = await Promise.all([continuing(one.token, user), continuing(other.token, user)]);

  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const { body } = await signIn({ claims: { sub: user } });
  expect((await uuidsOf(body.access_token)).sort()).toEqual([one.uuid, other.uuid].sort());
});

test('V1-10 of two users who continue one session at once, one gets all of it', async () => {
  const [ada, bob] = [aUser(), aUser()];
  const first = await create();
  const second = await create(first.token);

  const answers = await Promise.all([continuing(first.token, ada), continuing(first.token, bob)]);

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  const winner = answers.find(({ status }) => status === 200);
  expect(await uuidsOf(winner?.body.access_token)).toEqual([first.uuid, second.uuid]);
});

test('V1-10 S-26 a move that dies between two transactions is completed by its user, and by nobody else', async () => {
  const user = aUser();
  const first = await create();
  const second = await create(first.token);
  let writes = 0;
  functions.aws.interfere(({ target, body }) => {
    if (!target.endsWith('.TransactWriteItems') || !body.includes('Transactions')) return undefined;
    writes += 1;
    return writes > 1 ? refusal('ResourceNotFoundException') : undefined;
  });
  const died = await continuing(first.token, user);
  functions.aws.interfere();

  const stranger = await continuing(first.token, 'stranger');
  const own = await read(first.token);
  const { body } = await continuing(first.token, user, { by: await start() });

  expect([died.status, stranger.status, own.status]).toEqual([500, 400, 401]);
  expect(await uuidsOf(body.access_token)).toEqual([first.uuid, second.uuid]);
});

test('V1-10 S-26 a move that dies after the end of the anonymous session has moved nothing, and is completed', async () => {
  const user = aUser();
  const anonymous = await create();
  functions.aws.interfere(({ target }) =>
    target.endsWith('.TransactWriteItems') ? refusal('ResourceNotFoundException') : undefined,
  );
  const died = await continuing(anonymous.token, user);
  functions.aws.interfere();

  const before = await stored(anonymous.uuid);
  // A partner may move the transaction to another location before the user comes back.
  if (before) await store().replace(before, elsewhere(before));

  expect([died.status, (await read(anonymous.token)).status]).toEqual([500, 401]);
  expect(await uuidsOf((await continuing(anonymous.token, user)).body.access_token)).toEqual([
    anonymous.uuid,
  ]);
});

test('V1-10 S-26 if the end of the anonymous session cannot be written nothing moves', async () => {
  const user = aUser();
  const anonymous = await create();
  functions.aws.interfere(({ target, body }) =>
    target.endsWith('.UpdateItem') && body.includes('SESSION#')
      ? refusal('ResourceNotFoundException')
      : undefined,
  );
  const failed = await continuing(anonymous.token, user);
  functions.aws.interfere();

  expect(failed.status).toBe(500);
  expect(await uuidsOf(anonymous.token)).toEqual([anonymous.uuid]);
});

test('V1-10 a change that was read before the move and is written after it does not undo it', async () => {
  const anonymous = await create();
  const before = await stored(anonymous.uuid);
  const moved = before && { ...before, session: 'user-of-the-move' };
  let isMoved = false;
  functions.aws.interfere(async ({ target, body }) => {
    if (isMoved || !target.endsWith('.PutItem') || !body.includes('late')) return undefined;
    isMoved = true;
    if (before && moved) await store().replace(before, moved);
    return undefined;
  });
  const change = sending('PATCH', { guestEmail: 'late@example.com' }, bearing(anonymous.token));
  const late = await asking(`/api/transaction/${anonymous.uuid}`, change);
  functions.aws.interfere();

  expect([isMoved, late.status]).toEqual([true, 404]);
  expect(await stored(anonymous.uuid)).toEqual(moved);
});

test('V1-9 V1-10 revoking a user’s session ends its tokens, and the user can sign in again', async () => {
  const user = aUser();
  const { body } = await signIn({ claims: { sub: user } });
  const { uuid } = await create(body.access_token);
  functions.pass(10);
  const { revoke } = createRevokedSessions({ documents: functions.documents, requestsTable: 'Requests' });
  await revoke(String(decoded(body.access_token).claims.sub), new Date());
  functions.pass(1);

  const later = await signIn({ claims: { sub: user } });

  expect((await read(body.access_token)).status).toBe(401);
  expect(await uuidsOf(later.body.access_token)).toEqual([uuid]);
});

test('V1-10 a user with 20 open transactions creates no more, and never gets an anonymous session', async () => {
  const { body } = await signIn({ claims: { sub: aUser() } });
  const token = body.access_token;
  const made = [];
  for (let number = 0; number < 20; number += 1) made.push(await create(token));
  const full = await create(token);
  const [deleted = '', completed = ''] = made.map(({ uuid }) => uuid);
  await asking(`/api/transaction/${deleted}`, sending('PATCH', { isDeleted: 1 }, bearing(token)));
  const before = await stored(completed);
  if (before) await store().replace(before, complete(before));
  const afterwards = [await create(token), await create(token), await create(token)];

  expect(made.map(({ status }) => status)).toEqual(Array(20).fill(201));
  expect([full.status, full.token]).toEqual([409, token]);
  expect(afterwards.map(({ status }) => status)).toEqual([201, 201, 409]);
});

test('V1-10 S-41 a user with 20 open transactions continues no other session, which stays', async () => {
  const user = aUser();
  const { body } = await signIn({ claims: { sub: user } });
  for (let number = 0; number < 19; number += 1) await create(body.access_token);
  const [twentieth, another] = [await create(), await create()];
  const moved = await continuing(twentieth.token, user);
  const refused = await continuing(another.token, user);

  expect([moved.status, refused.status]).toEqual([200, 409]);
  expect(refused.body).toMatchObject({
    type: 'https://api.example/docs/problems#session-full',
    detail: 'The user has 20 open transactions: complete or delete one.',
  });
  expect(await uuidsOf(another.token)).toEqual([another.uuid]);
  expect((await continuing(twentieth.token, user)).status).toBe(200);
});

test('V1-10 a provider that does not answer is 503, and nothing has ended or moved', async () => {
  const anonymous = await create();
  const by = await start();
  provider.status = 500;
  const failed = await continuing(anonymous.token, aUser(), { by });
  provider.status = 200;
  functions.pass(11);
  provider.named = 'https://evil.example';
  const another = await continuing(anonymous.token, aUser(), { by });
  provider.named = provider.issuer;
  const later = await continuing(anonymous.token, aUser(), { by });

  expect([failed.status, another.status, later.status]).toEqual([503, 503, 200]);
  expect(failed.headers['Retry-After']).toBe('2');
  expect(functions.logged('KEY_SET_UNAVAILABLE')).toHaveLength(2);
});

test('V1-10 TH-12 a failed provider is not called for 10 s, and known keys continue to work', async () => {
  const by = await start();
  await signIn({}, {}, { by });
  functions.pass(31);
  provider.status = 500;
  provider.asked.length = 0;
  const unknown = [];
  for (let time = 0; time < 5; time += 1)
    unknown.push((await signIn({ header: { kid: `unknown-${time}` } }, {}, { by })).status);
  const known = await signIn({}, {}, { by });
  functions.pass(10);
  await signIn({ header: { kid: 'unknown' } }, {}, { by });
  provider.status = 200;

  expect([unknown, known.status]).toEqual([[503, 503, 503, 503, 503], 200]);
  expect(provider.asked).toEqual(['/keys', '/keys']);
});

test('V1-10 a key of the provider that is too small is the provider’s fault', async () => {
  const { publicKey, privateKey } = await generateKeyPair('RS256', {
    modulusLength: 2048,
    extractable: true,
  });
  const { n = '', ...rest } = await exportJWK(publicKey);
  provider.keys.push({ ...rest, n: n.slice(0, 172), kid: 'provider-small', alg: 'RS256', use: 'sig' });

  const answer = await signIn(
    { header: { kid: 'provider-small' }, key: privateKey },
    {},
    { by: await start() },
  );

  expect(answer.status).toBe(503);
});

test('V1-10 a provider that does not answer times out', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const findKey = createKeySets(() => new Date(), { timeoutMs: 50 })(issuer);

  await expect(findKey({ alg: 'RS256' }, { payload: '', signature: '' })).rejects.toThrow(KeySetUnavailable);
  silent.closeAllConnections();
  silent.close();
});

test('V1-10 a key set is only fetched with the protection of its issuer', async () => {
  const asIssuer = provider.issuer;
  provider.issuer = asIssuer.replace('http:', 'ftp:');
  const findKey = createKeySets(() => new Date())(asIssuer);
  const found = findKey({ alg: 'RS256' }, { payload: '', signature: '' });

  await expect(found).rejects.toMatchObject({
    cause: { message: 'The key set is less protected than its issuer' },
  });
  provider.issuer = asIssuer;
});

test('V1-10 TH-12 a key set is read once in ten minutes, and for unknown keys at most every 30 s', async () => {
  const by = await start();
  provider.asked.length = 0;
  for (let time = 0; time < 5; time += 1) await signIn({}, {}, { by });
  const usual = [...provider.asked];
  for (let time = 0; time < 20; time += 1) await signIn({ header: { kid: `unknown-${time}` } }, {}, { by });
  const flooded = provider.asked.length;
  functions.pass(31);
  for (let time = 0; time < 20; time += 1) await signIn({ header: { kid: `unknown-${time}` } }, {}, { by });

  expect(usual).toEqual(['/.well-known/openid-configuration', '/keys']);
  expect([flooded, provider.asked.length]).toEqual([2, 3]);
});

test('V1-10 a key that the provider publishes later works without a new process', async () => {
  const by = await start();
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  await signIn({}, {}, { by });
  provider.keys.push({ ...(await exportJWK(publicKey)), kid: 'provider-2', alg: 'RS256', use: 'sig' });
  functions.pass(31);

  expect((await signIn({ header: { kid: 'provider-2' }, key: privateKey }, {}, { by })).status).toBe(200);
});

test('V1-10 nothing of an ID token is stored or logged', async () => {
  const claims = { sub: 'subject-canary', email: 'canary@example.com', name: 'Canary Name' };
  const anonymous = await create();
  const token = await idToken({ claims });
  await post({
    ...{ ...tokenExchange, subject_token: token },
    ...{ actor_token: anonymous.token, actor_token_type: actorType },
  });

  const tables = ['Transactions', 'Listing', 'Requests', 'Partners'];
  const kept = JSON.stringify(await Promise.all(tables.map((table) => itemsOf(functions, table))));
  for (const text of ['canary', 'Canary', token, anonymous.token, token.split('.')[2] ?? ''])
    expect(`${kept}${functions.written()}`).not.toContain(text);
});

test('V1-10 an Authorization header at this address is ignored', async () => {
  const anonymous = await create();
  const { status, body } = await continuing(anonymous.token, aUser(), { headers: bearing(anonymous.token) });
  const again = await signIn({}, {}, { headers: bearing('nonsense') });

  expect([status, again.status]).toEqual([200, 200]);
  expect(await uuidsOf(body.access_token)).toEqual([anonymous.uuid]);
});
