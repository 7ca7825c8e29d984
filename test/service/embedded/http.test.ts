import { request as ask } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { openAws } from '../../../localstack/embedded/aws/protocol.ts';
import { freePort } from '../../../localstack/embedded/free-port.ts';
import { openGateway } from '../../../localstack/embedded/gateway.ts';
import type { CallOutcome } from '../../../localstack/embedded/instances.ts';
import type { LoopbackServer } from '../../../localstack/embedded/loopback.ts';

let gateway: LoopbackServer;
let port: number;
const events: APIGatewayProxyEvent[] = [];
const warnings: string[] = [];
const shown = { statusCode: 200, headers: { 'Content-Type': 'text/plain' }, body: 'shown' };
let answer: CallOutcome | object;
/** Functions answer when this is done. */
let held: Promise<unknown> = Promise.resolve();

beforeAll(async () => {
  port = await freePort();
  gateway = await openGateway({
    port,
    warn: (sentence) => void warnings.push(sentence),
    invoke: async (_, event) => {
      events.push(event as APIGatewayProxyEvent);
      await held;
      return 'ok' in answer ? (answer as CallOutcome) : { ok: true, value: JSON.stringify(answer) };
    },
  });
});
beforeEach(() => {
  events.length = 0;
  warnings.length = 0;
  answer = shown;
});
afterAll(() => gateway.stop());

type Raw = { status: number; head: string; body: string };

const readAll = (text: string): Raw[] =>
  text.split(/(?=HTTP\/1\.1 \d{3} )/).map((one) => {
    const [head = '', ...body] = one.split('\r\n\r\n');
    return { status: Number(head.slice(9, 12)), head, body: body.join('\r\n\r\n') };
  });

/** The answers to these bytes, until the server closes the connection. `next` is sent once the first answer has come. */
const answersTo = async (
  text: string,
  { next, endsHalf = false }: { next?: string; endsHalf?: boolean } = {},
): Promise<Raw[]> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write(text);
  if (endsHalf) socket.end();
  let all = '';
  for await (const part of socket) {
    if (all === '' && next !== undefined) socket.write(next);
    all += part;
  }
  socket.destroy();
  return readAll(all);
};

const path = '/api/v2/transaction';
/** A request whose connection the server closes after its answer. */
const request = (line: string, ...headers: string[]) =>
  [line, `Host: 127.0.0.1:${port}`, 'Connection: close', ...headers, '', ''].join('\r\n');
const problemOf = ({ body }: Raw) => JSON.parse(body) as Record<string, unknown>;
const requestIdOf = ({ head }: Raw) => /^Request-Id: (.*)$/im.exec(head)?.[1];

describe('targets, hosts and connections', () => {
  const asked = (target: string, host: string) =>
    `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  test.each<[string, (port: number) => string, number]>([
    ['an absolute target', (at) => asked(`http://127.0.0.1:${at}${path}`, `127.0.0.1:${at}`), 200],
    [
      'an absolute target in capitals',
      (at) => asked(`HTTP://LOCALHOST:${at}${path}`, `localhost:${at}`),
      200,
    ],
    [
      'an absolute target, which counts before Host',
      (at) => asked(`http://127.0.0.1:${at}${path}`, 'a.example'),
      200,
    ],
    ['an absolute target of another host', (at) => asked(`http://a.example${path}`, `127.0.0.1:${at}`), 403],
    ['Host in any case', (at) => asked(path, `LocalHost:${at}`), 200],
    ['the address of IPv6', (at) => asked(path, `[::1]:${at}`), 200],
    ['a foreign Host', () => asked(path, 'a.example'), 403],
    ['a foreign Host that begins like ours', (at) => asked(path, `127.0.0.1.a.example:${at}`), 403],
    ['Host without a port', () => asked(path, '127.0.0.1'), 403],
    ['HTTP/1.1 without Host', () => `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`, 400],
    ['a path that needs normalisation', (at) => asked('/api/v2/x/../transaction', `127.0.0.1:${at}`), 404],
    ['a path with an encoded segment', (at) => asked('/api/v2/%74ransaction', `127.0.0.1:${at}`), 404],
    ['a trailing slash', (at) => asked(`${path}/`, `127.0.0.1:${at}`), 200],
  ])('EMB-5 S-83 %s', async (_, text, status) => {
    const [only, ...more] = await answersTo(text(port));

    expect([only?.status, more]).toEqual([status, []]);
    expect(events).toHaveLength(status === 200 ? 1 : 0);
  });

  test('EMB-5 a client that has closed its half after the request gets its answer, also one that comes later', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    gateway.server.once('connection', (socket) => socket.once('end', () => setImmediate(resolve)));

    const [only] = await answersTo(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`, {
      endsHalf: true,
    });

    expect(only).toMatchObject({ status: 200, body: 'shown' });
  });

  test('EMB-5 a connection is kept for the next request; pipelined requests are answered in order', async () => {
    const kept = `GET ${path}?n=1 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;

    const inTurn = await answersTo(kept, { next: request(`GET ${path}?n=2 HTTP/1.1`) });
    const together = await answersTo(kept + kept.replace('n=1', 'n=3') + request(`GET ${path}?n=4 HTTP/1.1`));

    expect([inTurn, together].map((all) => all.map(({ status }) => status))).toEqual([
      [200, 200],
      [200, 200, 200],
    ]);
    expect(events.map(({ multiValueQueryStringParameters: query }) => query?.n?.[0])).toEqual([
      '1',
      '2',
      '1',
      '3',
      '4',
    ]);
  });

  test('EMB-5 a request that breaks off is refused and calls nobody', async () => {
    const broken = await answersTo(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 5\r\n\r\nab`,
      { endsHalf: true },
    );

    expect(broken.map(({ status }) => status)).toEqual([400]);
    expect(events).toEqual([]);
  });
});

describe('requests as functions get them', () => {
  test.each<[string, string, object]>([
    ['zebra=1&apple=2&zebra=3', 'zebra,apple', { zebra: ['1', '3'], apple: ['2'] }],
    ['a=b+c&d=e%20f&g=%2B&h=%2525', 'a,d,g,h', { a: ['b c'], d: ['e f'], g: ['+'], h: ['%25'] }],
    [
      'filter%5Bstatus%5D=1&filter[uuid]=x',
      'filter[status],filter[uuid]',
      { 'filter[status]': ['1'], 'filter[uuid]': ['x'] },
    ],
    ['a&b=&=c&&d=e=f', 'a,b,,d', { a: [''], b: [''], '': ['c'], d: ['e=f'] }],
    ['a=%zz&%=1&b=%FF%C3%A9', 'a,%,b', { a: ['%zz'], '%': ['1'], b: ['\ufffdé'] }],
    ['?a=?&__proto__=1', '?a,__proto__', { '?a': ['?'], ['__proto__']: ['1'] }],
  ])(
    'QS-1 EMB-5 the raw query %s is split on & and decoded once, in the order of the caller',
    async (query, order, expected) => {
      await answersTo(request(`GET ${path}?${query} HTTP/1.1`));

      const { multiValueQueryStringParameters: many } = events[0] ?? {};
      expect(many).toEqual(expected);
      expect(Object.keys(many ?? {}).join()).toBe(order);
    },
  );

  test('EMB-5 a header that is sent twice, in another case too, is one with two values under its first spelling', async () => {
    await answersTo(request(`GET ${path} HTTP/1.1`, 'X-Many: one', 'x-MANY: two', 'X-Bytes: \u00e9'));

    const { multiValueHeaders = {} } = events[0] ?? {};
    expect([multiValueHeaders['X-Many'], multiValueHeaders['x-MANY']]).toEqual([['one', 'two'], undefined]);
    expect(events[0]).toMatchObject({
      multiValueQueryStringParameters: null,
      body: null,
    });
  });

  test.each([
    ['chunked', 'Transfer-Encoding: chunked', '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n', 'abcde', false],
    ['of a known length', 'Content-Length: 6', 'caf\u00e9!', 'caf\u00e9!', false],
    ['not UTF-8', 'Content-Length: 2', Buffer.from([0xff, 0x61]), '/2E=', true],
    ['empty', 'Content-Length: 0', '', null, false],
  ])('EMB-5 O-51 a body that is %s', async (_, header, sent, body, isBase64Encoded) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(request(`POST ${path.replace('transaction', 'payment')} HTTP/1.1`, header));
    socket.write(sent);
    for await (const _part of socket);

    expect(events).toMatchObject([{ httpMethod: 'POST', body, isBase64Encoded }]);
  });

  test('EMB-5 the event has path, resource, parameters and identity as API Gateway gives them', async () => {
    const [only] = await answersTo(request('GET /v2/transaction/a%2Fb?x=1 HTTP/1.1', 'User-Agent: a client'));

    expect(events[0]).toMatchObject({
      path: '/v2/transaction/a%2Fb',
      resource: '/v2/transaction/{uuid}',
      pathParameters: { uuid: 'a%2Fb' },
      requestContext: { identity: { sourceIp: '127.0.0.1' } },
    });
    expect(only?.status).toBe(200);
  });
});

describe('Expect', () => {
  test('EMB-5 100-continue is answered before the body is sent', async () => {
    const head = request('POST /api/v2/payment HTTP/1.1', 'Expect: 100-continue', 'Content-Length: 4');

    const answers = await answersTo(head, { next: 'body' });

    expect(answers.map(({ status }) => status)).toEqual([100, 200]);
    expect(events).toMatchObject([{ body: 'body' }]);
  });

  test('EMB-5 ERR-5 another expectation is a problem of 417 with the id of the request', async () => {
    const [only] = await answersTo(request(`GET ${path} HTTP/1.1`, 'Expect: x'));

    expect(only?.status).toBe(417);
    expect(only?.head).toMatch(/^Content-Type: application\/problem\+json$/im);
    expect(problemOf(only as Raw)).toMatchObject({
      type: `http://127.0.0.1:${port}/docs/problems#request-refused`,
      title: 'Expectation Failed',
      status: 417,
      requestId: requestIdOf(only as Raw),
    });
    expect(events).toEqual([]);
  });

  test('EMB-5 S-83 an expectation of a foreign Host is refused as any other request, with a Request-Id', async () => {
    const [only] = await answersTo(
      `GET ${path} HTTP/1.1\r\nHost: a.example\r\nExpect: x\r\nConnection: close\r\n\r\n`,
    );

    expect(only?.status).toBe(403);
    expect(only?.head).toMatch(/^Request-Id: [0-9a-f-]{36}$/im);
  });
});

describe('answers', () => {
  test('VERB-1 HEAD has the length of what it is told, and none where the function makes no body', async () => {
    const lengthOf = ([only]: Raw[]) => [
      only?.status,
      /^Content-Length: (.*)$/im.exec(only?.head ?? '')?.[1],
      only?.body,
    ];
    const get = await answersTo(request(`GET ${path} HTTP/1.1`));
    const whole = await answersTo(request(`HEAD ${path} HTTP/1.1`));
    answer = { statusCode: 200, body: '' };
    const none = await answersTo(request(`HEAD ${path} HTTP/1.1`));

    expect([get, whole, none].map(lengthOf)).toEqual([
      [200, '5', 'shown'],
      [200, '5', ''],
      [200, undefined, ''],
    ]);
  });

  test.each([
    [204, undefined, undefined],
    [304, undefined, undefined],
    [200, 'text/plain', '5'],
  ])('EMB-5 %d has the type %s and the length %s', async (statusCode, type, length) => {
    answer = { ...shown, statusCode };

    const [only] = await answersTo(request(`GET ${path} HTTP/1.1`));

    const found = ['content-type', 'content-length'].map(
      (name) => new RegExp(`^${name}: (.*)$`, 'im').exec(only?.head ?? '')?.[1],
    );
    expect([only?.status, ...found]).toEqual([statusCode, type, length]);
  });

  test('EMB-3 a header in both maps has the values of the multi-value one; a body may be Base64', async () => {
    answer = {
      ...{ statusCode: '200', headers: { Vary: 'A', ETag: '"1"' }, multiValueHeaders: { vary: ['B', 'C'] } },
      ...{ body: 'aGk=', isBase64Encoded: true },
    };

    const [only] = await answersTo(request(`GET ${path} HTTP/1.1`));

    expect(only?.head.match(/^(vary|etag|content-type): .*$/gim)?.toSorted()).toEqual([
      'Content-Type: application/json',
      'ETag: "1"',
      'vary: B',
      'vary: C',
    ]);
    expect([only?.status, only?.body]).toEqual([200, 'hi']);
  });

  const x = (count: number) => 'x'.repeat(count);
  test.each<[unknown, number, string]>([
    [null, 502, 'the answer cannot be sent: it is not an object'],
    [[], 502, 'the answer cannot be sent: it is not an object'],
    [{ body: 'x' }, 502, 'the answer cannot be sent: it has no valid statusCode'],
    [{ statusCode: 199 }, 502, 'the answer cannot be sent: it has no valid statusCode'],
    [{ statusCode: 200, body: { a: 1 } }, 502, 'the answer cannot be sent: its body is not a string'],
    [{ statusCode: 200, cookies: [] }, 502, 'the answer cannot be sent: it has an unknown member "cookies"'],
    [
      { statusCode: 200, headers: { a: { b: 1 } } },
      502,
      'the answer cannot be sent: its headers are not valid',
    ],
    [
      { statusCode: 200, headers: { 'a b': '1' } },
      502,
      'the answer cannot be sent: its headers are not valid',
    ],
    [
      { statusCode: 200, headers: { a: 'x\r\nb: y' } },
      502,
      'the answer cannot be sent: its headers are not valid',
    ],
    [{ statusCode: 200, body: x(6_291_456 - 27) }, 502, 'the answer cannot be sent: it is larger than 6 MB'],
    [{ statusCode: 503, body: '{}' }, 503, 'answered 503'],
    [{ ok: false, reason: 'threw TypeError: no' }, 502, 'the function threw TypeError: no'],
    [{ ok: false, reason: 'timed out' }, 504, 'the function timed out'],
  ])('EMB-3 result %# is a fault, and one sentence names the function', async (result, status, why) => {
    answer =
      result === null || Array.isArray(result)
        ? { ok: true, value: JSON.stringify(result) }
        : (result as object);

    const [only] = await answersTo(request(`GET ${path} HTTP/1.1`));

    expect(only?.status).toBe(status);
    expect(warnings).toEqual([`v2-read at GET ${path}: ${why}.`]);
    if (status !== 503) expect(problemOf(only as Raw).requestId).toBe(requestIdOf(only as Raw));
  });

  test('EMB-3 a result of 6 MB is sent', async () => {
    answer = { statusCode: 200, body: x(6_291_456 - 28) };

    const [only] = await answersTo(request(`GET ${path} HTTP/1.1`));

    expect([only?.status, only?.body.length]).toEqual([200, 6_291_428]);
  });
});

describe('the gateway’s own refusals', () => {
  test.each<[string, string, number, object]>([
    ['the request line and headers at the limit', `GET ${path} HTTP/1.1|${10_240}`, 200, {}],
    [
      'one byte more',
      `GET ${path} HTTP/1.1|${10_241}`,
      431,
      { title: 'Request Header Fields Too Large', status: 431 },
    ],
    ['an unknown path', 'GET /nope HTTP/1.1|0', 404, { status: 404 }],
  ])('EMB-5 ERR-5 %s', async (_, given, status, problem) => {
    const [line = '', total = ''] = given.split('|');
    // Values of headers count, names do not.
    const counted = line.length + `127.0.0.1:${port}`.length + 'close'.length;
    const long = `X-Long: ${'x'.repeat(Math.max(1, Number(total) - counted))}`;

    const [only] = await answersTo(request(line, long));

    expect(only?.status).toBe(status);
    if (status !== 200)
      expect(problemOf(only as Raw)).toMatchObject({ ...problem, requestId: requestIdOf(only as Raw) });
  });

  test.each([
    ['far too large headers', () => request(`GET ${path} HTTP/1.1`, `X-Long: ${'x'.repeat(70_000)}`), 431],
    ['no HTTP', () => 'NONSENSE\r\n\r\n', 400],
    ['a malformed header', () => request(`GET ${path} HTTP/1.1`, 'no colon'), 400],
    ['an unknown version', () => request(`GET ${path} HTTP/3.7`), 400],
  ])('EMB-5 ERR-5 %s: a problem before any path is known', async (_, text, status) => {
    const [only] = await answersTo(text());

    expect(only?.status).toBe(status);
    expect(only?.head).toMatch(/^Content-Type: application\/problem\+json$/im);
    expect(problemOf(only as Raw)).toMatchObject({ status, requestId: requestIdOf(only as Raw) });
  });

  test.each([
    [10_485_760, 200],
    [10_485_761, 413],
    [14_000_000, 413],
  ])(
    'EMB-5 ERR-5 a body of %d bytes is read to its end, is %d, and the connection is good for the next request',
    async (bytes, status) => {
      const head = `POST /api/v2/payment HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: ${bytes}\r\n\r\n`;

      const [first, next] = await answersTo(`${head}${'x'.repeat(bytes)}${request(`GET ${path} HTTP/1.1`)}`);

      expect([first?.status, next?.status]).toEqual([status, 200]);
      if (status === 413)
        expect(problemOf(first as Raw)).toMatchObject({ status, requestId: requestIdOf(first as Raw) });
    },
  );
});

describe('pages of other origins', () => {
  test.each<[string, string[], string, number]>([
    ['a foreign Origin at V2', ['Origin: https://a.example'], path, 200],
    ['a foreign Origin at V1', ['Origin: https://a.example'], '/api/transaction', 200],
    ['an image of another site at V2', ['Sec-Fetch-Site: cross-site'], path, 200],
    ['a foreign Origin where no API is', ['Origin: https://a.example'], '/stage/facts', 403],
    ['Origin: null where no API is', ['Origin: null'], '/stage/facts', 403],
    ['another port of this machine where no API is', ['Origin: http://127.0.0.1:1'], '/stage/facts', 403],
    ['a request of another site', ['Sec-Fetch-Site: cross-site'], '/stage/facts', 403],
    ['a request of the same site', ['Sec-Fetch-Site: same-site'], '/stage/facts', 403],
    ['a link of another site to the stage’s page', ['Sec-Fetch-Site: cross-site'], '/', 404],
    ['the stage’s own page', ['Sec-Fetch-Site: same-origin'], '/stage/facts', 404],
    ['a typed address', ['Sec-Fetch-Site: none'], '/stage/facts', 404],
  ])('S-83 %s', async (_, sent, at, status) => {
    const [only] = await answersTo(request(`GET ${at} HTTP/1.1`, ...sent));

    expect(only?.status).toBe(status);
  });

  test('S-83 the stage’s own origin may post to its page; another may not, also where it may link to', async () => {
    const origins = [`http://127.0.0.1:${port}`, 'https://a.example'];

    const answers = await Promise.all(
      origins.map((origin) => answersTo(request('POST / HTTP/1.1', `Origin: ${origin}`))),
    );

    expect(answers.map(([only]) => only?.status)).toEqual([404, 403]);
  });

  test.each([
    ['a foreign Host', { Host: 'a.example' }],
    ['a foreign Origin', { Origin: 'https://a.example' }],
    ['a request of another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ])('S-83 the address of AWS refuses %s', async (_, sent) => {
    const aws = await openAws();
    const status = await new Promise((resolve) => {
      const asked = ask({ port: aws.port, host: '127.0.0.1', method: 'POST', headers: { ...sent } });
      asked.on('response', (response) => resolve(response.resume().statusCode)).end('{}');
    });
    await aws.stop();

    expect(status).toBe(403);
  });
});
