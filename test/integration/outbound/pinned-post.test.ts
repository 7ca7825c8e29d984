import { spawn } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  createPinnedPost,
  type PostPolicy,
  publicOrLoopback,
} from '../../../functions/shared/outbound/probe/pinned-post.ts';
import { aCertificate } from '../../support/stage/certificate.ts';
import {
  answers,
  aReceiver,
  drips,
  type HostileReceiver,
  saysForEver,
} from '../../support/stage/hostile-receiver.ts';

const receivers: HostileReceiver[] = [];
const start = async (...what: Parameters<typeof aReceiver>) => {
  const receiver = await aReceiver(...what);
  receivers.push(receiver);
  return receiver;
};
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.stop();
});

const toLoopback: PostPolicy = { isAllowed: publicOrLoopback, timeoutMs: 1_000 };
const post = (url: string, policy: PostPolicy = toLoopback) =>
  createPinnedPost(policy)({ url, headers: { 'X-Own': '1' }, body: '{"a":"é"}' });
const postTo = ({ port }: HostileReceiver, policy?: PostPolicy) => post(`http://127.0.0.1:${port}/`, policy);

/** Timers that only run on command. Sockets are real. */
const holdTimers = () => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
afterEach(() => void jest.useRealTimers());
const succeeded = (value: object) => ({ ok: true, value });
const failed = (reason: string) => ({ ok: false, reason });

describe('one request', () => {
  test('has the given headers, its length in bytes and its body, on its own connection', async () => {
    const { port, received } = await start(answers('200 OK'));

    expect(await post(`http://127.0.0.1:${port}/hook?a=1`)).toEqual(succeeded({ status: 200 }));
    expect(received).toEqual([
      `POST /hook?a=1 HTTP/1.1\r\nX-Own: 1\r\nContent-Length: 10\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n{"a":"Ã©"}`,
    ]);
  });

  test.each([
    ['204 No Content', [], { status: 204 }],
    ['404 Not Found', [], { status: 404 }],
    ['503 Service Unavailable', ['Retry-After: 7'], { status: 503, retryAfter: '7' }],
  ])('the response %s %j is returned', async (status, headers, told) => {
    expect(await postTo(await start(answers(status, headers, '{}')))).toEqual(succeeded(told));
  });

  test('localhost is this machine', async () => {
    const { port } = await start(answers('200 OK'));

    expect(await post(`http://localhost:${port}/`)).toEqual(succeeded({ status: 200 }));
  });

  test('an address without a listener is reported with its code', async () => {
    const receiver = await aReceiver(answers('200 OK'));
    await receiver.stop();

    expect(await postTo(receiver)).toEqual(failed('no connection: ECONNREFUSED'));
  });

  test.each([
    ['while it waits', false],
    ['before it begins', true],
  ])('a signal aborts it %s', async (_, early) => {
    const { port } = await start(() => {});
    const stop = new AbortController();
    if (early) stop.abort();
    const request = { url: `http://127.0.0.1:${port}/`, headers: {}, body: '' };
    holdTimers();

    const posted = createPinnedPost({ isAllowed: publicOrLoopback })(request, stop.signal);
    stop.abort();

    expect(await posted).toEqual(failed('timed out'));
  });

  test.each([
    ['that was answered', 200],
    ['that failed', undefined],
  ])('leaves no listener at its signal after its end, even %s', async (_, status) => {
    const receiver = await start(answers('200 OK'));
    if (status === undefined) await receiver.stop();
    const { signal } = new AbortController();
    const request = { url: `http://127.0.0.1:${receiver.port}/`, headers: {}, body: '' };

    const { ok } = await createPinnedPost(toLoopback)(request, signal);

    expect([ok, getEventListeners(signal, 'abort')]).toEqual([status === 200, []]);
  });
});

describe('TH-15 S-48 the address is checked on the very socket that is used', () => {
  test('the name is looked up once: the socket does not ask again for localhost, which is there', async () => {
    const { port, received } = await start(answers('200 OK'));
    let looks = 0;
    const resolve = async () => {
      looks += 1;
      return looks === 1 ? ['192.0.2.1'] : ['127.0.0.1'];
    };

    const { ok } = await post(`http://localhost:${port}/`, {
      resolve,
      isAllowed: (address) => address === '192.0.2.1',
      timeoutMs: 300,
    });

    expect([ok, looks, received]).toEqual([false, 1, []]);
  });

  test.each<[string, () => Promise<string[]>, string]>([
    ['that now means loopback', async () => ['127.0.0.1'], 'address not allowed'],
    ['of which one address is not public', async () => ['8.8.8.8', '127.0.0.1'], 'address not allowed'],
    ['without an address', async () => [], 'name not found'],
    ['that cannot be looked up', () => Promise.reject(new Error('ENOTFOUND')), 'name not found'],
  ])('a name %s is not connected to', async (_, resolve, reason) => {
    const { port, received } = await start(answers('200 OK'));

    const outcome = await post(`https://name.test:${port}/`, { ...toLoopback, resolve });

    expect([outcome, received]).toEqual([failed(reason), []]);
  });

  test.each([
    'https://127.0.0.1:1/',
    'https://[::1]:1/',
    'https://localhost:1/',
    'https://169.254.169.254/',
    'http://8.8.8.8/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0.0.0.0:1/',
    'http://10.0.0.1/',
  ])('%s is refused on the local stage', async (url) => {
    expect(await post(url)).toEqual(failed('address not allowed'));
  });

  test('S-47 plain http is refused where nothing else was said, to loopback and to public addresses', async () => {
    const receiver = await start(answers('200 OK'));

    expect(await postTo(receiver, {})).toEqual(failed('address not allowed'));
    expect(await post('http://8.8.8.8/', {})).toEqual(failed('address not allowed'));
    expect(receiver.received).toEqual([]);
  });
});

test.each(['301 Moved', '302 Found', '303 See Other', '307 Temporary', '308 Permanent'])(
  'S-49 %s is an answer like any other, and is not followed',
  async (status) => {
    const inside = await start(answers('200 OK'));
    const receiver = await start(answers(status, [`Location: http://127.0.0.1:${inside.port}/`]));

    expect(await postTo(receiver)).toEqual(succeeded({ status: Number(status.slice(0, 3)) }));
    expect(inside.received).toEqual([]);
  },
);

describe('S-51 malicious receivers fail in time', () => {
  const head = 'HTTP/1.1 200 OK\r\n';
  const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`;
  const kilobyte = 'x'.repeat(1024);
  const hints = 'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n';

  test.each<[string, Parameters<typeof aReceiver>[0], string]>([
    ['says nothing', () => {}, 'timed out'],
    ['says half a status line', (socket) => socket.write('HTTP/1.1 20'), 'timed out'],
    ['drips its headers', drips(`${head}X-A: `, 20), 'timed out'],
    ['drips its body', drips(`${head}\r\n`, 20), 'timed out'],
    ['has a body without end', saysForEver(`${head}\r\n`, kilobyte), 'answer too large'],
    ['has chunks without end', saysForEver(chunked, `400\r\n${kilobyte}\r\n`), 'answer too large'],
    [
      'has headers without end',
      saysForEver(head, `X-A: ${kilobyte}\r\n`),
      'no connection: HPE_HEADER_OVERFLOW',
    ],
    [
      'says 100 Continue for ever',
      saysForEver('', 'HTTP/1.1 100 Continue\r\n\r\n'),
      'too many interim answers',
    ],
    ['says 103 Early Hints for ever', saysForEver('', hints), 'too many interim answers'],
    ['hangs up', (socket) => socket.destroy(), 'no connection: ECONNRESET'],
    [
      'hangs up in its body',
      (socket) => socket.end(`${head}Content-Length: 9\r\n\r\nx`),
      'no connection: ECONNRESET',
    ],
    [
      'speaks no HTTP',
      (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
      'no connection: HPE_INVALID_CONSTANT',
    ],
    [
      'has two lengths',
      (socket) => socket.end(`${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`),
      'no connection: HPE_UNEXPECTED_CONTENT_LENGTH',
    ],
  ])('one that %s', async (_, behave, reason) => {
    // Silence proves nothing on a busy machine, so the test waits for what is sent.
    const timeoutMs = reason === 'timed out' ? 300 : 5_000;

    expect(await postTo(await start(behave), { ...toLoopback, timeoutMs })).toEqual(failed(reason));
  });

  test.each<[string, PostPolicy]>([
    ['a handshake', { resolve: async () => ['127.0.0.1'], isAllowed: () => true }],
    ['a look-up', { resolve: () => new Promise(() => {}) }],
  ])('%s without end is inside the deadline too', async (_, policy) => {
    const { port } = await start(() => {});

    expect(await post(`https://slow.test:${port}/`, { ...policy, timeoutMs: 200 })).toEqual(
      failed('timed out'),
    );
  });

  test('a gzip bomb is counted as it arrives and not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000)).toString('latin1');
    const answer = `${head}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n${bomb}`;
    const receiver = await start((socket) => socket.end(answer, 'latin1'));
    const before = process.memoryUsage.rss();

    expect(await postTo(receiver)).toEqual(succeeded({ status: 200 }));
    expect(process.memoryUsage.rss() - before).toBeLessThan(40_000_000);
  });

  test('a response of 64 kB is read, and one byte more is too large', async () => {
    const full = await start(answers('200 OK', [], 'x'.repeat(65_536)));
    const over = await start(answers('200 OK', [], 'x'.repeat(65_537)));

    expect(await postTo(full)).toEqual(succeeded({ status: 200 }));
    expect(await postTo(over)).toEqual(failed('answer too large'));
  });

  test('an upgrade is a response, and the connection ends', async () => {
    const receiver = await start((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    );

    expect(await postTo(receiver)).toEqual(succeeded({ status: 101 }));
  });

  test('the default deadline is five seconds', async () => {
    holdTimers();
    const arrived = Promise.withResolvers<void>();
    const receiver = await start(() => arrived.resolve());
    let ended: unknown;

    const posted = postTo(receiver, { isAllowed: publicOrLoopback }).then((outcome) => {
      ended = outcome;
    });
    await arrived.promise;
    await jest.advanceTimersByTimeAsync(4_999);
    const before = ended;
    await jest.advanceTimersByTimeAsync(1);
    await posted;

    expect([before, ended]).toEqual([undefined, failed('timed out')]);
  });
});

describe('S-53 TLS', () => {
  const host = 'receiver.test';
  const own = aCertificate({ host });
  const overTls = async (tls: Parameters<typeof aReceiver>[1], ca?: string) => {
    const { port, received } = await start(answers('200 OK'), tls);
    const trust = ca === undefined ? {} : { ca };
    const outcome = await post(`https://${host}:${port}/`, {
      ...trust,
      resolve: async () => ['127.0.0.1'],
      isAllowed: () => true,
      timeoutMs: 1_000,
    });
    return { outcome, received };
  };

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'a receiver of %s whose certificate is trusted and of its name, which the handshake names (SNI), gets the request',
    async (maxVersion) => {
      const names: string[] = [];
      const SNICallback = (name: string, done: (error: null) => void) => {
        names.push(name);
        done(null);
      };

      const { outcome, received } = await overTls({ ...own, maxVersion, SNICallback }, own.cert);

      expect(outcome).toEqual(succeeded({ status: 200 }));
      expect([received.length, names]).toEqual([1, [host]]);
    },
  );

  const [past, earlier, later] = [new Date('2020-01-01'), new Date('2021-01-01'), new Date('2100-01-01')];
  const expired = aCertificate({ host, notBefore: past, notAfter: earlier });
  const early = aCertificate({ host, notBefore: later, notAfter: later });
  const elsewhere = aCertificate({ host: 'elsewhere.test' });
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  test.each([
    ['a certificate that nobody trusts', own, undefined, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['an expired certificate', expired, expired.cert, 'CERT_HAS_EXPIRED'],
    ['a certificate that is not valid yet', early, early.cert, 'CERT_NOT_YET_VALID'],
    ['a certificate of another name', elsewhere, elsewhere.cert, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['TLS 1.1, which is too old,', { ...own, ...old }, own.cert, 'EPROTO'],
  ])('%s fails before anything is sent', async (_, tls, ca, code) => {
    expect(await overTls(tls, ca)).toEqual({ outcome: failed(`no connection: ${code}`), received: [] });
  });

  test('verification stays on whatever the environment says', async () => {
    const { port, received } = await start(answers('200 OK'), own);
    const script = `
      const { createPinnedPost } = await import('./functions/shared/outbound/probe/pinned-post.ts');
      const post = createPinnedPost({ resolve: async () => ['127.0.0.1'], isAllowed: () => true });
      console.log((await post({ url: 'https://${host}:${port}/', headers: {}, body: '' })).reason);`;

    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });

    expect(await text(child.stdout)).toBe('no connection: DEPTH_ZERO_SELF_SIGNED_CERT\n');
    expect(received).toEqual([]);
  });
});
