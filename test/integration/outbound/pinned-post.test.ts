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
const post = async (url: string, policy: PostPolicy = toLoopback) => ({
  outcome: await createPinnedPost(policy)({ url, headers: { 'X-Own': '1' }, body: '{"a":"é"}' }),
});

/** Timers that only run on command. Sockets are real. */
const holdTimers = () => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
afterEach(() => void jest.useRealTimers());
const succeeded = (value: object) => ({ ok: true, value });
const failed = (reason: string) => ({ ok: false, reason });

describe('one request', () => {
  test('has the given headers, its length in bytes and its body, on its own connection', async () => {
    const { port, received } = await start(answers('200 OK'));

    const { outcome } = await post(`http://127.0.0.1:${port}/hook?a=1`);

    expect(outcome).toEqual(succeeded({ status: 200 }));
    expect(received).toEqual([
      `POST /hook?a=1 HTTP/1.1\r\nX-Own: 1\r\nContent-Length: 10\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n{"a":"Ã©"}`,
    ]);
  });

  test.each([
    ['204 No Content', [], { status: 204 }],
    ['404 Not Found', [], { status: 404 }],
    ['503 Service Unavailable', ['Retry-After: 7'], { status: 503, retryAfter: '7' }],
  ])('the response %s %j is returned', async (status, headers, told) => {
    const { port } = await start(answers(status, headers, '{}'));

    expect((await post(`http://127.0.0.1:${port}/`)).outcome).toEqual(succeeded(told));
  });

  test('localhost is this machine', async () => {
    const { port } = await start(answers('200 OK'));

    expect((await post(`http://localhost:${port}/`)).outcome).toEqual(succeeded({ status: 200 }));
  });

  test('an address without a listener is reported with its code', async () => {
    const receiver = await aReceiver(answers('200 OK'));
    await receiver.stop();

    expect((await post(`http://127.0.0.1:${receiver.port}/`)).outcome).toEqual(
      failed('no connection: ECONNREFUSED'),
    );
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

describe('S-48 the address is checked on the actual connection', () => {
  const everywhere = ['8.8.8.8', '127.0.0.1'];

  test('a name that was public at registration and is loopback now gets no connection', async () => {
    const { port, received } = await start(answers('200 OK'));
    const found = [['127.0.0.1']];
    const resolve = async () => found.shift() ?? [];

    const { outcome } = await post(`https://rebinding.test:${port}/`, { ...toLoopback, resolve });

    expect(outcome).toEqual(failed('address not allowed'));
    expect(received).toEqual([]);
  });

  test('the name is looked up once: a second look-up, which would be loopback, never happens', async () => {
    const { port, received } = await start(answers('200 OK'));
    let looks = 0;
    const resolve = async () => {
      looks += 1;
      return looks === 1 ? ['192.0.2.1'] : ['127.0.0.1'];
    };

    const { outcome } = await post(`http://rebinding.test:${port}/`, {
      resolve,
      isAllowed: (address) => address === '192.0.2.1',
      timeoutMs: 300,
    });

    expect([outcome.ok, looks, received]).toEqual([false, 1, []]);
  });

  test('one non-public address is enough to refuse the name', async () => {
    const { port, received } = await start(answers('200 OK'));

    const { outcome } = await post(`https://both.test:${port}/`, {
      ...toLoopback,
      resolve: async () => everywhere,
    });

    expect(outcome).toEqual(failed('address not allowed'));
    expect(received).toEqual([]);
  });

  test.each([
    'https://127.0.0.1:1/',
    'https://[::1]:1/',
    'https://localhost:1/',
    'https://[::ffff:127.0.0.1]:1/',
    'https://0x7f.1:1/',
    'https://2130706433:1/',
    'https://169.254.169.254/',
    'http://8.8.8.8/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0.0.0.0:1/',
    'http://10.0.0.1/',
  ])('%s is refused on the local stage', async (url) => {
    expect((await post(url)).outcome).toEqual(failed('address not allowed'));
  });

  test('plain http is refused by default, to loopback and to public addresses', async () => {
    const { port, received } = await start(answers('200 OK'));

    expect((await post(`http://127.0.0.1:${port}/`, {})).outcome).toEqual(failed('address not allowed'));
    expect((await post('http://8.8.8.8/', {})).outcome).toEqual(failed('address not allowed'));
    expect(received).toEqual([]);
  });

  test('a name without an address is reported as such', async () => {
    expect((await post('https://nobody.invalid/', { resolve: async () => [] })).outcome).toEqual(
      failed('name not found'),
    );
  });
});

describe('S-49 redirects are not followed', () => {
  test.each(['301 Moved', '302 Found', '303 See Other', '307 Temporary', '308 Permanent'])(
    '%s is a response like any other',
    async (status) => {
      const inside = await start(answers('200 OK'));
      const { port } = await start(answers(status, [`Location: http://127.0.0.1:${inside.port}/`]));

      const { outcome } = await post(`http://127.0.0.1:${port}/`);

      expect(outcome).toEqual(succeeded({ status: Number(status.slice(0, 3)) }));
      expect(inside.received).toEqual([]);
    },
  );
});

const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const unending = 'HTTP/1.1 200 OK\r\n\r\n';
const kilobyte = 'x'.repeat(1024);

describe('S-51 malicious receivers fail in time', () => {
  test.each([
    ['says nothing', () => {}, 'timed out'],
    ['says half a status line', (socket) => socket.write('HTTP/1.1 20'), 'timed out'],
    ['drips its headers', drips('HTTP/1.1 200 OK\r\nX-A: ', 20), 'timed out'],
    ['drips its body', drips(unending, 20), 'timed out'],
    ['has a body without end', saysForEver(unending, kilobyte), 'answer too large'],
    ['has chunks without end', saysForEver(chunked, `400\r\n${kilobyte}\r\n`), 'answer too large'],
    [
      'has headers without end',
      saysForEver('HTTP/1.1 200 OK\r\n', `X-A: ${kilobyte}\r\n`),
      'no connection: HPE_HEADER_OVERFLOW',
    ],
    [
      'says 100 Continue for ever',
      saysForEver('', 'HTTP/1.1 100 Continue\r\n\r\n'),
      'too many interim answers',
    ],
    [
      'says 103 Early Hints for ever',
      saysForEver('', 'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n'),
      'too many interim answers',
    ],
    ['hangs up', (socket) => socket.destroy(), 'no connection: ECONNRESET'],
    [
      'hangs up in its body',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx'),
      'no connection: ECONNRESET',
    ],
    [
      'speaks no HTTP',
      (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
      'no connection: HPE_INVALID_CONSTANT',
    ],
    [
      'has two lengths',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'),
      'no connection: HPE_UNEXPECTED_CONTENT_LENGTH',
    ],
  ] as [string, Parameters<typeof aReceiver>[0], string][])('one that %s', async (_, behave, reason) => {
    const { port } = await start(behave);
    // Silence proves nothing on a busy machine, so the test waits for what is sent.
    const timeoutMs = reason === 'timed out' ? 300 : 5_000;

    const { outcome } = await post(`http://127.0.0.1:${port}/`, { ...toLoopback, timeoutMs });

    expect(outcome).toEqual(failed(reason));
  });

  test('a gzip bomb is counted as it arrives and not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000)).toString('latin1');
    const { port } = await start((socket) =>
      socket.end(
        `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n${bomb}`,
        'latin1',
      ),
    );
    const before = process.memoryUsage.rss();

    const { outcome } = await post(`http://127.0.0.1:${port}/`);

    expect(outcome).toEqual(succeeded({ status: 200 }));
    expect(process.memoryUsage.rss() - before).toBeLessThan(40_000_000);
  });

  test('a response of 64 kB is read, and one byte more is too large', async () => {
    const full = await start(answers('200 OK', [], 'x'.repeat(65_536)));
    const over = await start(answers('200 OK', [], 'x'.repeat(65_537)));

    expect((await post(`http://127.0.0.1:${full.port}/`)).outcome).toEqual(succeeded({ status: 200 }));
    expect((await post(`http://127.0.0.1:${over.port}/`)).outcome).toEqual(failed('answer too large'));
  });

  test('an upgrade is a response, and the connection ends', async () => {
    const { port } = await start((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    );

    expect((await post(`http://127.0.0.1:${port}/`)).outcome).toEqual(succeeded({ status: 101 }));
  });

  test('the deadline includes an endless look-up', async () => {
    const { outcome } = await post('https://slow.test/', {
      resolve: () => new Promise(() => {}),
      timeoutMs: 200,
    });

    expect(outcome).toEqual(failed('timed out'));
  });

  test('the default deadline is five seconds', async () => {
    holdTimers();
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const { port } = await start(() => arrive());
    let ended: unknown;

    const posted = post(`http://127.0.0.1:${port}/`, { isAllowed: publicOrLoopback }).then(({ outcome }) => {
      ended = outcome;
    });
    await arrived;
    await jest.advanceTimersByTimeAsync(4_999);
    const before = ended;
    await jest.advanceTimersByTimeAsync(1);
    await posted;

    expect([before, ended]).toEqual([undefined, failed('timed out')]);
  });
});

describe('S-53 TLS', () => {
  const own = aCertificate({ host: 'receiver.test' });
  const secure: PostPolicy = { resolve: async () => ['127.0.0.1'], isAllowed: () => true, timeoutMs: 1_000 };
  const overTls = async (tls: Parameters<typeof aReceiver>[1], policy: PostPolicy) => {
    const { port, received } = await start(answers('200 OK'), tls);
    const { outcome } = await post(`https://receiver.test:${port}/`, { ...secure, ...policy });
    return { outcome, received };
  };

  test('a receiver whose trusted certificate has its name gets the request', async () => {
    const { outcome, received } = await overTls(own, { ca: own.cert });

    expect(outcome).toEqual(succeeded({ status: 200 }));
    expect(received).toHaveLength(1);
  });

  test('the name is sent in the handshake (SNI)', async () => {
    const names: string[] = [];
    const SNICallback = (name: string, done: (error: null) => void) => {
      names.push(name);
      done(null);
    };
    await overTls({ ...own, SNICallback }, { ca: own.cert });

    expect(names).toEqual(['receiver.test']);
  });

  const expired = aCertificate({
    host: 'receiver.test',
    notBefore: new Date('2020-01-01'),
    notAfter: new Date('2021-01-01'),
  });
  const elsewhere = aCertificate({ host: 'elsewhere.test' });
  test.each([
    ['a certificate that nobody trusts', own, {}, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['an expired certificate', expired, { ca: expired.cert }, 'CERT_HAS_EXPIRED'],
    ['a certificate of another name', elsewhere, { ca: elsewhere.cert }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('%s fails before anything is sent', async (_, certificate, policy, code) => {
    const { outcome, received } = await overTls(certificate, policy);

    expect(outcome).toEqual(failed(`no connection: ${code}`));
    expect(received).toEqual([]);
  });

  test('verification stays on whatever the environment says', async () => {
    const { port, received } = await start(answers('200 OK'), own);
    const script = `
      const { createPinnedPost } = await import('./functions/shared/outbound/probe/pinned-post.ts');
      const post = createPinnedPost({ resolve: async () => ['127.0.0.1'], isAllowed: () => true });
      console.log((await post({ url: 'https://receiver.test:${port}/', headers: {}, body: '' })).reason);`;

    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });

    expect(await text(child.stdout)).toBe('no connection: DEPTH_ZERO_SELF_SIGNED_CERT\n');
    expect(received).toEqual([]);
  });

  test('TLS 1.1 is too old', async () => {
    const old = {
      ...own,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    } as const;
    const { outcome, received } = await overTls(old, { ca: own.cert });

    expect(outcome).toEqual(failed('no connection: EPROTO'));
    expect(received).toEqual([]);
  });
});
