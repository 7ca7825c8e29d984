import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import { createKeySets, type KeySetOf } from '../../../functions/v1-transaction/key-set.ts';
import { holdDate } from '../../support/stage/held-date.ts';

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

/** An identity provider on this machine: OpenID Connect Discovery and a key set. */
const startProvider = async () => {
  const keys: object[] = [];
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
  return { issuer, keys, asked, answer, stop };
};

let provider: Awaited<ReturnType<typeof startProvider>>;
let date: ReturnType<typeof holdDate>;
beforeAll(async () => {
  date = holdDate();
  provider = await startProvider();
  await addKey('provider-1');
});
afterAll(() => {
  provider.stop();
  jest.useRealTimers();
});

const addKey = async (kid: string, change = (n: string) => n) => {
  const { publicKey } = await generateKeyPair('RS256');
  const { n = '', ...rest } = await exportJWK(publicKey);
  provider.keys.push({ ...rest, n: change(n), kid, alg: 'RS256', use: 'sig' });
};

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
    date.pass(31_000);
    expect([await find('provider-2'), await find('unknown')]).toEqual(['found', 'JWKSNoMatchingKey']);
    expect(provider.asked).toHaveLength(3);
  });

  test('is not asked for within 10 s of a failure, and known keys go on', async () => {
    const find = aProcess();
    await find('provider-1');
    date.pass(31_000);
    provider.answer({ status: 500 });
    provider.asked.length = 0;

    const found = [await find('unknown'), await find('unknown'), await find('provider-1')];
    date.pass(10_000);
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
    date.pass(9_999);
    const second = await find('provider-1');
    const askedMeanwhile = provider.asked.length - asked.length;
    provider.answer();
    date.pass(1);

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
