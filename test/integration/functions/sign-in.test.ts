import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createStorefrontStore } from '../../../bin/operator/store/storefronts.ts';
import { generateKey } from '../../../functions/rotate-keys/key-material.ts';
import { createRingStore } from '../../../functions/shared/store/keys/ring-store.ts';
import { createUserKey } from '../../../functions/shared/store/keys/user-key.ts';
import { getTransaction } from '../../../functions/shared/store/transactions/get.ts';
import { createKeySets, type KeySetOf } from '../../../functions/v1-transaction/key-set.ts';
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
  const state: { status: number; named: string; keySet: string; sent: Record<string, string | Buffer> } = {
    ...{ status: 200, named: '', keySet: '', sent: {} },
  };
  const { origin: issuer, stop } = await listen((request, response) => {
    asked.push(request.url ?? '');
    const configuration = { issuer: state.named, jwks_uri: state.keySet };
    response.writeHead(state.status, { 'Content-Type': 'application/json' });
    const usual = JSON.stringify(request.url === '/keys' ? { keys } : configuration);
    response.end(state.sent[request.url ?? ''] ?? usual);
  });
  const usual = { status: 200, named: issuer, keySet: `${issuer}/keys`, sent: {} };
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
  /** Looks for keys by their ids, and says what was found. */
  const finding = (findKey: ReturnType<KeySetOf>) => async (kid: string) => {
    try {
      await findKey({ alg: 'RS256', kid }, { payload: '', signature: '' });
      return 'found';
    } catch (error) {
      const { name, cause } = error as Error;
      return cause instanceof Error ? `${name}: ${cause.message}` : name;
    }
  };
  const aProcess = (issuer = provider.issuer, limits = { timeoutMs: 3_000 }) => {
    provider.asked.length = 0;
    return finding(createKeySets(() => new Date(), limits)(issuer));
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

  const configuration = '/.well-known/openid-configuration';
  const keySet = '/keys';
  const noKeys = 'The key set has no keys, or one that is no object';
  const noObject = 'The document is not a JSON object';
  const tooLarge = 'The document has more than 1000000 bytes';
  const sending = (path: string, text: string | Buffer) => () => ({ sent: { [path]: text } });

  test.each<[string, string, () => Parameters<typeof provider.answer>[0], string]>([
    ['null', configuration, sending(configuration, 'null'), noObject],
    ['a list', configuration, sending(configuration, '[]'), noObject],
    ['no JSON', configuration, sending(configuration, '<html>'), 'Unexpected token'],
    ['no key set', configuration, () => ({ keySet: '' }), 'Invalid URL'],
    ['another issuer', configuration, () => ({ named: 'https://evil.example' }), 'is of another issuer'],
    [
      'a less protected key set',
      configuration,
      () => ({ keySet: provider.issuer.replace('http:', 'ftp:') }),
      'The key set is less protected than its issuer',
    ],
    ['more than 1 MB', configuration, sending(configuration, ' '.repeat(1_000_001)), tooLarge],
    ['status 404', configuration, () => ({ status: 404 }), 'The provider answered with 404'],
    ['null', keySet, sending(keySet, 'null'), noObject],
    ['no member keys', keySet, sending(keySet, '{}'), noKeys],
    ['an empty list of keys', keySet, sending(keySet, '{"keys":[]}'), noKeys],
    ['a key that is no object', keySet, sending(keySet, '{"keys":[{"kid":"provider-1"},null]}'), noKeys],
    ['keys that are no list', keySet, sending(keySet, '{"keys":{"kid":"provider-1"}}'), noKeys],
    ['no JSON', keySet, sending(keySet, '<html>'), 'Unexpected token'],
    ['more than 1 MB', keySet, sending(keySet, `{"keys":[]}${' '.repeat(1_000_000)}`), tooLarge],
  ])('with %s at %s is none, and is asked for again after 10 s only', async (_flaw, path, answer, cause) => {
    const find = aProcess();
    provider.answer(answer());
    const first = await find('provider-1');
    const asked = [...provider.asked];
    functions.pass(9.999);
    const second = await find('provider-1');
    const askedMeanwhile = provider.asked.length - asked.length;
    provider.answer();
    functions.pass(0.001);

    expect(first).toContain('KeySetUnavailable: ');
    expect(first).toContain(cause);
    expect(asked.at(-1)).toBe(path);
    expect([second, askedMeanwhile]).toEqual(['KeySetUnavailable: The provider failed a moment ago', 0]);
    expect(await find('provider-1')).toBe('found');
  });

  test('may have 1 MB, of which no more is read', async () => {
    const keys = JSON.stringify({ keys: provider.keys });
    const full = aProcess();
    provider.answer({ sent: { [keySet]: keys.padEnd(1_000_000) } });
    expect(await full('provider-1')).toBe('found');
    provider.answer();

    const endless = await listen((_request, response) => {
      const part = ' '.repeat(65_536);
      const more = (): boolean => response.write(part) && more();
      response.on('drain', more);
      more();
    });
    const packed = await listen((_request, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(' '.repeat(50_000_000)));
    });
    const found = [await aProcess(endless.origin)('provider-1'), await aProcess(packed.origin)('provider-1')];
    endless.stop();
    packed.stop();

    expect(found).toEqual(Array(2).fill(`KeySetUnavailable: ${tooLarge}`));
  });

  test('is asked for once by many sign-ins at a time, whether it can be used or not; another provider is not affected', async () => {
    const keySets = createKeySets(() => new Date());
    const findBy = (issuer: string) => finding(keySets(issuer))('provider-1');
    const many = (issuer: string) => Promise.all(Array.from({ length: 20 }, () => findBy(issuer)));
    let asked = 0;
    const broken = await listen((_request, response) => {
      asked += 1;
      response.end('null');
    });
    provider.asked.length = 0;

    expect(await many(broken.origin)).toEqual(Array(20).fill(`KeySetUnavailable: ${noObject}`));
    expect(await findBy(broken.origin)).toBe('KeySetUnavailable: The provider failed a moment ago');
    expect(await many(provider.issuer)).toEqual(Array(20).fill('found'));
    broken.stop();
    expect([asked, provider.asked]).toEqual([1, [configuration, keySet]]);
  });

  test('with a small key, behind a redirect, or of a silent provider is none', async () => {
    await addKey('small', (n) => n.slice(0, 172));
    const silent = await listen(() => {});
    const moved = await listen((request, response) => {
      response.writeHead(302, { Location: `${provider.issuer}${request.url}` }).end();
    });

    const small = await aProcess()('small');
    provider.answer({ named: moved.origin });
    const redirected = await aProcess(moved.origin)('provider-1');
    moved.stop();
    provider.answer();
    const ofSilent = await aProcess(silent.origin, { timeoutMs: 50 })('provider-1');
    silent.stop();

    expect([small, redirected, ofSilent]).toEqual([
      'KeySetUnavailable: A key of the provider is too small',
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
