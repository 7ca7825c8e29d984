import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createStorefrontStore } from '../../../bin/operator/store/storefronts.ts';
import { generateKey } from '../../../functions/rotate-keys/key-material.ts';
import { createRingStore } from '../../../functions/shared/store/keys/ring-store.ts';
import { createUserKey } from '../../../functions/shared/store/keys/user-key.ts';
import { getTransaction } from '../../../functions/shared/store/transactions/get.ts';
import { createKeySets } from '../../../functions/v1-transaction/key-set.ts';
import { decoded } from '../../support/apis/token-service.ts';
import { address, aStorefront, shop } from '../../support/apis/v1-transaction.ts';
import { aRing } from '../../support/builders/key-rings.ts';
import { secretIds } from '../../support/functions/aws.ts';
import { askingOf, itemsOf, sending, useFunctions } from '../../support/functions/use-functions.ts';

const functions = useFunctions();
const start = async () => askingOf(await functions.start('v1-transaction'));

/** A server on this machine. */
const listen = async (answer: RequestListener) => {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
};

/** An identity provider on this machine: OpenID Connect Discovery, a key set, and tokens that it signs. */
const startProvider = async () => {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const keys: object[] = [{ ...(await exportJWK(publicKey)), kid: 'provider-1', alg: 'RS256', use: 'sig' }];
  const asked: string[] = [];
  const state = { status: 200, named: '', keySet: '' };
  const { origin: issuer, stop } = await listen((request, response) => {
    asked.push(request.url ?? '');
    const configuration = { issuer: state.named, jwks_uri: state.keySet };
    response.writeHead(state.status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(request.url === '/keys' ? { keys } : configuration));
  });
  const usual = { status: 200, named: issuer, keySet: `${issuer}/keys` };
  /** What it answers until it is asked for again. */
  const answer = (change: Partial<typeof state> = {}) => Object.assign(state, usual, change);
  answer();
  return { issuer, privateKey, keys, asked, answer, stop };
};

let provider: Awaited<ReturnType<typeof startProvider>>;
let asking: ReturnType<typeof askingOf>;

beforeAll(async () => {
  provider = await startProvider();
  const access = { documents: functions.documents, partnersTable: 'Partners' };
  const key = await generateKey('ES256');
  await functions.aws.secrets.write(secretIds.session, JSON.stringify({ keys: [key] }));
  await createRingStore(access).replace('session', aRing([key]));
  await createUserKey(access, 'a key of users’ sessions');
  const identityProvider = { issuer: provider.issuer, audience: 'shop', algorithm: 'RS256' } as const;
  await createStorefrontStore(access).register(aStorefront('F1', 'north', { identityProvider }));
  asking = await start();
}, 180_000);
afterAll(() => provider.stop());

const idToken = (claims: object = {}) => {
  const iat = Math.floor(Date.now() / 1000);
  const payload = { iss: provider.issuer, aud: 'shop', sub: 'ada', iat, exp: iat + 3_600, ...claims };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'RS256', kid: 'provider-1' })
    .sign(provider.privateKey);
};

/** Exchanges an ID token for a token of its user's session, which may continue an anonymous one. */
const exchange = (subject_token: string, { actor = '', by = asking } = {}) => {
  const accessToken = 'urn:ietf:params:oauth:token-type:access_token';
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    subject_token,
    ...(actor !== '' && { actor_token: actor, actor_token_type: accessToken }),
  });
  const headers = { Origin: shop, 'Content-Type': 'application/x-www-form-urlencoded' };
  return by('/api/session', { method: 'POST', body: form.toString(), headers });
};
const continuing = async (actor: string, sub: string, by = asking) =>
  exchange(await idToken({ sub }), { actor, by });

const bearing = (token: string) => ({ Authorization: `Bearer ${token}`, Origin: shop });
const uuidsOf = async (token: string) => {
  const { body } = await asking(`${address}?filter[status]=0`, { headers: bearing(token) });
  return body.data.map(({ uuid }: { uuid: string }) => uuid);
};
/** A checkout in a new session. */
const create = async () => {
  const { body, headers } = await asking(address, sending('POST', { extras: { a: 1 } }, { Origin: shop }));
  return { uuid: String(body.uuid), token: String(headers['authentication-token']) };
};
const stored = (uuid: string) =>
  getTransaction({ documents: functions.documents, transactionsTable: 'Transactions' }, uuid);

test('V1-10 a user has one session in every process, and an ID token is good for ten minutes', async () => {
  const anonymous = await create();
  const before = await stored(anonymous.uuid);
  const token = await idToken();
  const one = await exchange(token);
  functions.pass(599);
  const other = await exchange(token, { actor: anonymous.token, by: await start() });
  functions.pass(2);
  const late = await exchange(token);

  expect([one.status, other.status, late.status]).toEqual([200, 200, 400]);
  const { header, claims } = decoded(one.body.access_token);
  expect(header).toMatchObject({ typ: 'session+jwt', alg: 'ES256' });
  // Nothing but the session differs, so the stream of changes sees none.
  expect(await stored(anonymous.uuid)).toEqual({ ...before, session: claims.sub });
  expect(await uuidsOf(one.body.access_token)).toEqual([anonymous.uuid]);
});

test('V1-10 a provider that gives no key set is 503 and a line of the log, and nothing has ended or moved', async () => {
  const { token } = await create();
  const by = await start();
  provider.answer({ status: 500 });
  const failed = await continuing(token, 'waiting', by);
  provider.answer();
  functions.pass(11);
  const later = await continuing(token, 'waiting', by);

  expect([failed.status, later.status]).toEqual([503, 200]);
  expect(functions.logged('KEY_SET_UNAVAILABLE')).toMatchObject([{ service: 'v1-transaction' }]);
});

describe('V1-10 TH-12 the key set of a provider', () => {
  /** A process that looks for keys by their ids, and what it finds. */
  const aProcess = (issuer = provider.issuer, limits = { timeoutMs: 3_000 }) => {
    const findKey = createKeySets(() => new Date(), limits)(issuer);
    provider.asked.length = 0;
    return async (kid: string) => {
      try {
        await findKey({ alg: 'RS256', kid }, { payload: '', signature: '' });
        return 'found';
      } catch (error) {
        const { name, cause } = error as Error;
        return cause instanceof Error ? `${name}: ${cause.message}` : name;
      }
    };
  };
  const addKey = async (kid: string, change = (n: string) => n) => {
    const { publicKey } = await generateKeyPair('RS256');
    const { n = '', ...rest } = await exportJWK(publicKey);
    provider.keys.push({ ...rest, n: change(n), kid, alg: 'RS256', use: 'sig' });
  };

  test('is read once for ten minutes, and for unknown keys at most every 30 s', async () => {
    const find = aProcess();
    const usual = [];
    for (let time = 0; time < 5; time += 1) usual.push(await find('provider-1'));
    expect(usual).toEqual(Array(5).fill('found'));
    expect(provider.asked).toEqual(['/.well-known/openid-configuration', '/keys']);

    const unknown = [];
    for (let time = 0; time < 20; time += 1) unknown.push(await find(`unknown-${time}`));
    expect(unknown).toEqual(Array(20).fill('JWKSNoMatchingKey'));
    expect(provider.asked).toHaveLength(2);

    await addKey('provider-2');
    functions.pass(31);
    expect([await find('provider-2'), await find('unknown')]).toEqual(['found', 'JWKSNoMatchingKey']);
    expect(provider.asked).toHaveLength(3);
  });

  test('is not asked for within 10 s of a failure, and known keys go on', async () => {
    const find = aProcess();
    await find('provider-1');
    functions.pass(31);
    provider.answer({ status: 500 });
    provider.asked.length = 0;

    const found = [await find('unknown'), await find('unknown'), await find('provider-1')];
    functions.pass(10);
    await find('unknown');
    provider.answer();

    expect(found).toEqual([
      'KeySetUnavailable: The provider answered with 500',
      'KeySetUnavailable: The provider failed a moment ago',
      'found',
    ]);
    expect(provider.asked).toEqual(['/keys', '/keys']);
  });

  test('of another issuer, with a small key, behind another protocol or a redirect, or of a silent provider is none', async () => {
    await addKey('small', (n) => n.slice(0, 172));
    const silent = await listen(() => {});
    const moved = await listen((request, response) => {
      response.writeHead(302, { Location: `${provider.issuer}${request.url}` }).end();
    });

    const small = await aProcess()('small');
    provider.answer({ named: 'https://evil.example' });
    const ofAnother = await aProcess()('provider-1');
    provider.answer({ keySet: provider.issuer.replace('http:', 'ftp:') });
    const unprotected = await aProcess()('provider-1');
    provider.answer({ named: moved.origin });
    const redirected = await aProcess(moved.origin)('provider-1');
    moved.stop();
    provider.answer();
    const ofSilent = await aProcess(silent.origin, { timeoutMs: 50 })('provider-1');
    silent.stop();

    expect([small, ofAnother, unprotected, redirected, ofSilent]).toEqual([
      'KeySetUnavailable: A key of the provider is too small',
      'KeySetUnavailable: The configuration is of another issuer',
      'KeySetUnavailable: The key set is less protected than its issuer',
      'KeySetUnavailable: The provider answered with 302',
      'KeySetUnavailable: The operation was aborted due to timeout',
    ]);
  });
});

test('V1-10 nothing of an ID token is stored or logged', async () => {
  const { token: actor } = await create();
  const token = await idToken({ sub: 'subject-canary', email: 'canary@example.com', name: 'Canary Name' });
  const { status } = await exchange(token, { actor });

  const tables = ['Transactions', 'Listing', 'Requests', 'Partners'];
  const kept = JSON.stringify(await Promise.all(tables.map((table) => itemsOf(functions, table))));
  expect(status).toBe(200);
  for (const text of ['canary', 'Canary', token, actor, token.split('.')[2] ?? ''])
    expect(`${kept}${functions.written()}`).not.toContain(text);
});
