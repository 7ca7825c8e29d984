import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createHandler } from '../../../functions/probe-endpoint/handler.ts';
import { makeWebhookSignature } from '../../../functions/shared/auth/client-secret.ts';
import { refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import type { WebhookSignature } from '../../../functions/shared/domain/partner.ts';
import {
  createPinnedPost,
  type PostPolicy,
  publicOnly,
} from '../../../functions/shared/outbound/probe/pinned-post.ts';
import { testMessageOf } from '../../../functions/shared/outbound/probe/test-message.ts';
import { root } from '../../support/repository.ts';
import { aCertificate, anAuthority } from '../../support/stage/certificate.ts';
import { freePortPair } from '../../support/stage/free-port-pair.ts';
import { startReceiver, startSocketReceiver } from '../../support/stage/receivers.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
const receiver = async (...args: Parameters<typeof startReceiver>) => {
  const started = await startReceiver(...args);
  stops.push(started.stop);
  return started;
};
const socketReceiver = async (...args: Parameters<typeof startSocketReceiver>) => {
  const started = await startSocketReceiver(...args);
  stops.push(started.stop);
  return started;
};

const origin = { source: 'svc.local.online-payments', region: 'eu-west-2' };
const right = { signature: 'r'.repeat(64) };

/** Every name leads to this machine, and sockets may go there, unless a test says otherwise. */
const aProbe = (policy: PostPolicy = {}) => {
  const probe = createHandler({
    post: createPinnedPost({
      resolve: async () => ['127.0.0.1'],
      isAllowed: () => true,
      timeoutMs: 400,
      ...policy,
    }),
  });
  const testOf = (signature: WebhookSignature) =>
    testMessageOf(signature, { origin, clock: () => new Date('2026-11-21T12:00:00.123Z') });
  const ask = async (url: URL, ...signatures: WebhookSignature[]) => {
    const answers = await probe({ url: url.href, messages: signatures.map(testOf) });
    const failed = answers.find((answer) => 'fault' in answer);
    if (failed) return refuse(failed.fault);
    const [wrongStatus, status] = answers.flatMap((answer) => ('status' in answer ? answer.status : []));
    return succeed({ wrongStatus, ...(status !== undefined && { status }) });
  };
  const wrong = () => ({ signature: makeWebhookSignature(randomBytes) });
  return {
    reach: (url: URL) => ask(url, wrong()),
    check: (url: URL, signature: WebhookSignature) => ask(url, wrong(), signature),
  };
};

const at = (port: number, protocol = 'http') => new URL(`${protocol}://receiver.example:${port}/hook`);

describe('the test message', () => {
  test('comes first with a wrong signature, then with the right one', async () => {
    const strict = await receiver(({ headers }) =>
      headers['x-webhook-signature'] === right.signature ? 204 : 401,
    );

    const checked = await aProbe().check(at(strict.port), { ...right, next: 'n'.repeat(64) });

    expect(checked).toEqual({ ok: true, value: { wrongStatus: 401, status: 204 } });
    const [wrong, told] = strict.received;
    expect(strict.received).toHaveLength(2);
    expect(wrong?.headers['x-webhook-signature']).toMatch(/^[A-Za-z0-9]{64}$/);
    expect(wrong?.headers['x-webhook-signature']).not.toBe(right.signature);
    expect(wrong?.headers).not.toHaveProperty('x-webhook-signature-next');
    expect(told?.headers).toMatchObject({
      'x-webhook-signature': right.signature,
      'x-webhook-signature-next': 'n'.repeat(64),
    });
  });

  test('is not an event: it has its own type, and an empty detail', async () => {
    const lax = await receiver(200);

    const reached = await aProbe().reach(at(lax.port));

    expect(reached).toEqual({ ok: true, value: { wrongStatus: 200 } });
    const [sent] = lax.received;
    expect(sent).toMatchObject({ method: 'POST', path: '/hook' });
    expect(sent?.headers).toMatchObject({
      host: `receiver.example:${lax.port}`,
      'content-type': 'application/json; charset=utf-8',
      'idempotency-key': JSON.parse(sent?.body ?? '').id,
    });
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      version: '0',
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      'detail-type': 'WebhookTest',
      source: 'svc.local.online-payments',
      account: '000000000000',
      time: '2026-11-21T12:00:00Z',
      region: 'eu-west-2',
      resources: [],
      detail: {},
    });
  });
});

describe('S-47 names outside the public internet', () => {
  test.each([
    [['127.0.0.1']],
    [['10.1.2.3']],
    [['169.254.169.254']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['fd00:ec2::254']],
    // One good address does not excuse the other.
    [['8.8.8.8', '127.0.0.1']],
  ])('%j gets no connection', async (addresses) => {
    const { port, connections } = await receiver(200);
    const probe = aProbe({ resolve: async () => addresses, isAllowed: publicOnly });

    expect(await probe.reach(at(port, 'https'))).toEqual({ ok: false, reason: 'address not allowed' });
    expect(connections()).toBe(0);
  });

  test('plain http gets none either, wherever it leads', async () => {
    const probe = aProbe({ resolve: async () => ['8.8.8.8'], isAllowed: publicOnly });

    expect(await probe.reach(new URL('http://partner.example/'))).toEqual({
      ok: false,
      reason: 'address not allowed',
    });
  });

  test('an unknown name is reported as such', async () => {
    const probe = aProbe({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });

    expect(await probe.reach(at(1))).toEqual({ ok: false, reason: 'name not found' });
  });
});

describe('TH-15 S-48 the connection uses the address that was checked', () => {
  const isNotHome = (address: string) => address !== '127.0.0.1';

  test('a name that is rebound between two requests gets no second connection', async () => {
    const port = await freePortPair();
    const outside = await receiver(401, { host: '127.0.0.2', port });
    const home = await receiver(200, { host: '127.0.0.1', port });
    const answers = [['127.0.0.2'], ['127.0.0.1']];
    const resolve = async () => answers.shift() ?? [];

    const checked = await aProbe({ resolve, isAllowed: isNotHome }).check(at(port), right);

    expect(checked).toEqual({ ok: false, reason: 'address not allowed' });
    expect([outside.received.length, home.connections()]).toEqual([1, 0]);
  });

  test('the name is not looked up again for the connection: localhost is not called', async () => {
    const port = await freePortPair();
    const outside = await receiver(200, { host: '127.0.0.2', port });
    const home = await receiver(200, { host: '127.0.0.1', port });
    const probe = aProbe({ resolve: async () => ['127.0.0.2'], isAllowed: isNotHome });

    const reached = await probe.reach(new URL(`http://localhost:${port}/`));

    expect(reached.ok).toBe(true);
    expect([outside.connections(), home.connections()]).toEqual([1, 0]);
  });
});

test.each([301, 302, 303, 307, 308])('S-49 a redirect (%i) is not followed', async (status) => {
  const inside = await receiver(200);
  const redirecting = await receiver(() => ({
    status,
    headers: { Location: `http://127.0.0.1:${inside.port}/` },
  }));

  const checked = await aProbe().check(at(redirecting.port), right);

  expect(checked).toEqual({ ok: true, value: { wrongStatus: status, status } });
  expect(inside.connections()).toBe(0);
});

describe('S-51 malicious receivers', () => {
  const head = 'HTTP/1.1 200 OK\r\n';

  /** What the receiver writes as soon as it has heard something; `again` is written whenever there is room. */
  const writing = (first: string | Buffer, again?: string | Buffer) =>
    socketReceiver((socket) => {
      const more = () => {
        while (again !== undefined && socket.writable && socket.write(again));
      };
      socket.once('data', () => {
        socket.write(first);
        socket.on('drain', more);
        more();
      });
    });

  const dripping = (first: string, drop: string) =>
    socketReceiver((socket) => {
      socket.once('data', () => {
        socket.write(first);
        const drops = setInterval(() => socket.write(drop), 20);
        socket.on('close', () => clearInterval(drops));
      });
    });

  test.each([
    ['never says anything', 'timed out', () => writing('')],
    ['never ends its head', 'timed out', () => dripping(`${head}X-Slow: `, 'a')],
    ['drips its body', 'timed out', () => dripping(`${head}Content-Length: 1000\r\n\r\n`, 'a')],
    ['sends without end', 'answer too large', () => writing(`${head}\r\n`, 'a'.repeat(10_000))],
    [
      'sends chunks without end',
      'answer too large',
      () => writing(`${head}Transfer-Encoding: chunked\r\n\r\n`, `2710\r\n${'a'.repeat(10_000)}\r\n`),
    ],
    [
      'sends heads without end',
      'no connection: HPE_HEADER_OVERFLOW',
      () => writing(head, `X-Much: ${'a'.repeat(1000)}\r\n`),
    ],
    [
      'storms with interim answers',
      'too many interim answers',
      () => writing('HTTP/1.1 103 Early Hints\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50)),
    ],
    ['speaks another language', 'no connection: HPE_INVALID_CONSTANT', () => writing('220 mail ESMTP\r\n')],
    [
      'hangs up',
      'no connection: ECONNRESET',
      () => socketReceiver((socket) => socket.once('data', () => socket.destroy())),
    ],
  ])('one that %s is reported as: %s', async (_habit, reason, start) => {
    const { port } = await start();

    expect(await aProbe().check(at(port), right)).toEqual({ ok: false, reason });
  });

  test('one that accepts without a handshake times out', async () => {
    const { port } = await socketReceiver(() => {});

    expect(await aProbe().reach(at(port, 'https'))).toEqual({ ok: false, reason: 'timed out' });
  });

  test('a gzip bomb is not decompressed: 50 MB in 51 kB are a response of 51 kB', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const { port } = await writing(
      Buffer.concat([
        Buffer.from(`${head}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`),
        bomb,
      ]),
    );

    expect(await aProbe().reach(at(port))).toEqual({ ok: true, value: { wrongStatus: 200 } });
  });

  test('a resolver that never answers times out', async () => {
    const probe = aProbe({ resolve: () => new Promise(() => {}) });

    expect(await probe.reach(at(1))).toEqual({ ok: false, reason: 'timed out' });
  });
});

describe('S-53 TLS', () => {
  const authority = anAuthority();
  const host = 'receiver.example';
  const day = 24 * 60 * 60 * 1000;
  const ago = (days: number) => new Date(Date.now() - days * day);
  const good = aCertificate({ host, authority });

  const reach = async (tls: Parameters<typeof startReceiver>[1] & object) => {
    const started = await receiver(200, tls);
    const reached = await aProbe({ ca: authority.cert }).reach(at(started.port, 'https'));
    return { reached, received: started.received.length };
  };

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'a receiver with a valid certificate and %s is reached',
    async (maxVersion) => {
      expect(await reach({ tls: { ...good, maxVersion } })).toEqual({
        reached: { ok: true, value: { wrongStatus: 200 } },
        received: 1,
      });
    },
  );

  test.each([
    ['signed itself', aCertificate({ host }), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    [
      'comes of an authority that nobody trusts',
      aCertificate({ host, authority: anAuthority('Another authority') }),
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ],
    [
      'has expired',
      aCertificate({ host, authority, notBefore: ago(2), notAfter: ago(1) }),
      'CERT_HAS_EXPIRED',
    ],
    [
      'is not valid yet',
      aCertificate({ host, authority, notBefore: ago(-1), notAfter: ago(-2) }),
      'CERT_NOT_YET_VALID',
    ],
    [
      'names another host',
      aCertificate({ host: 'other.example', authority }),
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ],
  ])('a receiver whose certificate %s gets nothing', async (_fault, tls, code) => {
    expect(await reach({ tls })).toEqual({
      reached: { ok: false, reason: `no connection: ${code}` },
      received: 0,
    });
  });

  test('a receiver with TLS 1.1 gets nothing', async () => {
    const old = {
      ...good,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    } as const;

    expect(await reach({ tls: old })).toMatchObject({ reached: { ok: false }, received: 0 });
  });

  test('no environment variable turns that off', async () => {
    const { port, received } = await receiver(200, { tls: aCertificate({ host }) });
    const script = `
      import { createPinnedPost } from ${JSON.stringify(join(root, 'functions/shared/outbound/probe/pinned-post.ts'))};
      const post = createPinnedPost({ resolve: async () => ['127.0.0.1'], isAllowed: () => true });
      console.log(JSON.stringify(await post({ url: 'https://${host}:${port}/', headers: {}, body: '' })));`;

    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env: { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' },
    });

    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      reason: 'no connection: DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    expect(received).toEqual([]);
  });
});
