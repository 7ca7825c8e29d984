import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../functions/shared/domain/transaction/transaction.ts';
import { aV2Read, many } from '../../../support/apis/v2-read.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { anOwner, uuidOf } from '../../../support/builders/transactions.ts';

const transactions = [
  { uuid: uuidOf(1) },
  { uuid: uuidOf(2), ndMeta: anOwner({ group: 'group-b' }) },
  { uuid: uuidOf(3), isDeleted: 1 as const },
];
const single = `/api/v2/transaction/${uuidOf(1)}`;
const none = { Authorization: [] };

test.each([
  ['/api/v2/transaction', 200],
  ['/api/v2/transaction/', 200],
  ['/v2/transaction', 200],
  ['/v2/transaction/', 200],
  [single, 200],
  [`${single}/`, 200],
  [`/v2/transaction/${uuidOf(1)}`, 200],
  [`/api/v2/transaction/${encodeURIComponent(uuidOf(1)).replace('0', '%30')}`, 200],
  ['/api/v2/transactions', 404],
  ['/api/v2//transaction', 404],
  ['/API/V2/TRANSACTION', 404],
  ['/api/v2/transaction/a/b', 404],
  ['/api/v2/transaction/%', 404],
  ['/api/v2/transaction/%2e%2e', 404],
  ['/api/v2/partner', 404],
  ['/', 404],
  ['', 404],
])('VERB-1 S-12 GET %s is %d', async (path, expected) => {
  const { get } = await aV2Read({ transactions });

  const { status } = await get(path);

  expect(status).toBe(expected);
});

test.each(['/api/v2/transaction', single])(
  'VERB-1 HEAD %s has the status and headers of GET and no body',
  async (path) => {
    const { get } = await aV2Read({ transactions });

    const head = await get(path, { method: 'HEAD' });
    const { status, headers } = await get(path);

    expect(head).toEqual({ status, headers, body: undefined, text: '' });
  },
);

test('VERB-1 OPTIONS needs no token and lists the methods', async () => {
  const { get } = await aV2Read();

  const { status, headers, text } = await get('/api/v2/transaction', { method: 'OPTIONS', headers: none });

  expect([status, headers.Allow, text]).toEqual([204, 'GET, HEAD, OPTIONS', '']);
});

test('VERB-1 Allow of one transaction includes the writes of its address', async () => {
  const { get } = await aV2Read({ transactions });

  const { status, headers } = await get(single, { method: 'OPTIONS', headers: none });

  expect([status, headers.Allow]).toEqual([204, 'GET, HEAD, PATCH, PUT, OPTIONS']);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'get', 'TRACE'])(
  'VERB-1 ERR-3 %s is 405 with the allowed methods, before the token is checked',
  async (method) => {
    const { get } = await aV2Read();

    const { status, headers, body } = await get('/api/v2/transaction', { method, headers: none });

    expect([status, headers.Allow, body.name]).toEqual([405, 'GET, HEAD, OPTIONS', 'Method Not Allowed']);
  },
);

test.each([
  ['an unknown route comes before the method', '/nope', { method: 'POST', headers: none }, 404],
  ['the token before a bad filter', '/api/v2/transaction?filter[nope]=1', { headers: none }, 401],
  [
    'the OAuth scope before a bad filter',
    '/api/v2/transaction?filter[nope]=1',
    { headers: { Authorization: `Bearer write.${aPartner().clientId}` } },
    403,
  ],
  ['parameters before existence', `/api/v2/transaction/nope?a[b][c][d][e]=1`, {}, 400],
  ['too many levels before a bad filter', '/api/v2/transaction?filter[nope]=1&a[b][c][d][e]=1', {}, 400],
])('ERR-3 %s', async (_, target, more, expected) => {
  const { get } = await aV2Read({ transactions });

  const { status } = await get(target, more);

  expect(status).toBe(expected);
});

test('ERR-2 R-01 without a token the challenge has no error code', async () => {
  const { get } = await aV2Read();

  const { status, headers, body } = await get('/api/v2/transaction', { headers: none });

  expect(status).toBe(401);
  expect(headers['WWW-Authenticate']).toBe(
    'Bearer realm="api", resource_metadata="https://api.example/.well-known/oauth-protected-resource/api/v2"',
  );
  expect(body).toEqual({
    type: 'https://api.example/docs/problems#invalid-credentials',
    title: 'Unauthorized',
    status: 401,
    detail: 'Your request was made with invalid credentials.',
    instance: '/api/v2/transaction',
    name: 'Unauthorized',
    message: 'Your request was made with invalid credentials.',
    code: 0,
    requestId: 'request-1',
  });
});

test('ERR-2 a wrong token is refused with an error code', async () => {
  const { get } = await aV2Read();

  const { status, headers } = await get('/api/v2/transaction', {
    headers: { Authorization: 'Bearer unknown' },
  });

  expect(status).toBe(401);
  expect(headers['WWW-Authenticate']).toBe(
    'Bearer realm="api", error="invalid_token", resource_metadata="https://api.example/.well-known/oauth-protected-resource/api/v2"',
  );
});

test('ERR-2 R-40 S-11 a token without nop2/read is 403 on every read', async () => {
  const { get } = await aV2Read({ transactions });

  for (const path of ['/api/v2/transaction', single]) {
    const { status, headers } = await get(path, {
      headers: { Authorization: `Bearer write.${aPartner().clientId}` },
    });

    expect(status).toBe(403);
    expect(headers['WWW-Authenticate']).toBe(
      'Bearer realm="api", error="insufficient_scope", scope="nop2/read"',
    );
  }
});

test('V2-1 DEL-1 unknown, hidden, deleted and malformed uuids are the same 404', async () => {
  const { get } = await aV2Read({ transactions });
  const uuids = [uuidOf(9), uuidOf(2), uuidOf(3), 'x', '%00', 'a'.repeat(5000)];

  const answers = await Promise.all(uuids.map((uuid) => get(`/api/v2/transaction/${uuid}`)));

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
  expect(new Set(answers.map(({ body }) => JSON.stringify({ ...body, instance: '' }))).size).toBe(1);
});

test('S-45 COND-1 R-41 every answer is private, unsniffable and HTTPS only', async () => {
  const { get } = await aV2Read({ transactions });
  const answers = [
    await get('/api/v2/transaction'),
    await get(single),
    await get('/nope'),
    await get('/api/v2/transaction', { headers: none }),
    await get('/api/v2/transaction', { method: 'OPTIONS' }),
  ];

  for (const { headers } of answers) {
    expect(headers).toMatchObject({
      'Cache-Control': 'private, no-cache',
      Vary: 'Authorization',
      'X-Content-Type-Options': 'nosniff',
      'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
      'Request-Id': 'request-1',
    });
    expect(Object.keys(headers).filter((name) => /^(server|access-control-)/i.test(name))).toEqual([]);
  }
});

test.each([
  ['Case-2.a:b_9', 'Case-2.a:b_9'],
  ['a'.repeat(128), 'a'.repeat(128)],
  ['a'.repeat(129), undefined],
  ['a b', undefined],
  ['a\r\nSet-Cookie: x', undefined],
  ['', undefined],
])('ERR-5 the correlation id %j comes back as %j', async (sent, echoed) => {
  const { get } = await aV2Read();

  const { headers } = await get('/api/v2/transaction', { headers: { 'x-correlation-id': sent } });

  expect(headers['X-Correlation-Id']).toBe(echoed);
});

test('ERR-5 two correlation ids count as none', async () => {
  const { get } = await aV2Read({ transactions });

  const { headers } = await get('/api/v2/transaction', { headers: { 'X-Correlation-Id': ['a', 'b'] } });

  expect(headers['X-Correlation-Id']).toBeUndefined();
});

test('COND-1 a list has a weak tag, a single transaction a strong one that begins with its version', async () => {
  const { get } = await aV2Read({ transactions });

  const list = await get('/api/v2/transaction');
  const one = await get(single);

  expect(list.headers.ETag).toMatch(/^W\/"[\w-]{22}"$/);
  expect(one.headers.ETag).toMatch(/^"1\.[\w-]{22}"$/);
});

test('COND-1 a new version has a new tag, even if the shown values are the same', async () => {
  const { get, store } = await aV2Read({ transactions });
  const before = await store.byUuid(uuidOf(1));
  if (before) await store.replace(before, { ...before, version: 2 });

  const { headers } = await get(`${single}?fields=uuid`);

  expect(headers.ETag).toMatch(/^"2\./);
});

test('COND-1 another representation of the same version has another tag', async () => {
  const { get } = await aV2Read({ transactions });

  const whole = await get(single);
  const narrowed = await get(`${single}?fields=uuid`);

  expect(narrowed.headers.ETag).not.toBe(whole.headers.ETag);
});

test.each([
  ['the tag itself', (tag: string) => tag, 304],
  ['the weak form of it', (tag: string) => `W/${tag.replace('W/', '')}`, 304],
  ['a list with it', (tag: string) => `"x", W/"y" ,${tag}`, 304],
  ['two headers', (tag: string) => ['"x"', tag], 304],
  ['any tag', () => '*', 304],
  ['another tag', () => '"x"', 200],
  ['the tag without quotes', (tag: string) => tag.replaceAll('"', ''), 200],
  ['nothing', () => '', 200],
])('COND-1 If-None-Match with %s', async (_, asked, expected) => {
  const { get } = await aV2Read({ transactions });

  for (const path of ['/api/v2/transaction', single]) {
    const { headers: first } = await get(path);
    const { status, text, headers } = await get(path, {
      headers: { 'if-none-match': asked(String(first.ETag)) },
    });

    expect(status).toBe(expected);
    if (expected === 304) {
      expect([text, headers.ETag, headers['Cache-Control']]).toEqual(['', first.ETag, 'private, no-cache']);
    }
  }
});

test('ERR-4 ERR-5 a fault is 500 with a fixed text, and one log line without its message', async () => {
  const logged: unknown[] = [];
  const fault = new Error('secret of the store');
  const reader = { byUuid: () => Promise.reject(fault), listWithin: () => Promise.reject(fault) };
  const { get } = await aV2Read({ reader, log: (name, facts) => logged.push([name, facts.status]) });

  const { status, text, headers } = await get('/api/v2/transaction');

  expect(status).toBe(500);
  expect(text).not.toContain('secret');
  expect(headers['Request-Id']).toBe('request-1');
  expect(logged).toEqual([
    ['requestFailed', undefined],
    ['requestAnswered', 500],
  ]);
});

test('S-57 one log line names the partner and the route, and nothing from the query', async () => {
  const logged: unknown[] = [];
  const { get } = await aV2Read({ transactions, log: (name, facts) => logged.push({ name, ...facts }) });

  await get(`${single}?fields=canary`, { headers: { 'X-Correlation-Id': 'corr-1' } });

  expect(logged).toEqual([
    {
      name: 'requestAnswered',
      requestId: 'request-1',
      correlationId: 'corr-1',
      method: 'GET',
      route: '/api/v2/transaction/{uuid}',
      clientId: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
      status: 200,
      durationMs: 0,
    },
  ]);
});

test.each([
  'ThrottlingException',
  'TimeoutError',
  'InternalServerError',
  'ProvisionedThroughputExceededException',
])('ERR-4 a store that answers %s is 503 with Retry-After', async (name) => {
  const fault = Object.assign(new Error('x'), { name });
  const reader = { byUuid: () => Promise.reject(fault), listWithin: () => Promise.reject(fault) };
  const { get } = await aV2Read({ reader });

  const { status, headers, body } = await get(single);

  expect([status, headers['Retry-After'], body.title]).toEqual([503, '2', 'Service Unavailable']);
});

/** About 100 kB of JSON, the most that is stored beside payments (WR-4). */
const withExtras = (extras: JsonObject) => many(50, () => ({ extras }));
const plainText = { text: 'x'.repeat(99_000) };
const manyQuotes = Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`m${n}`, '']));

test('S-35 fifty of the largest records fit into one response', async () => {
  const { get } = await aV2Read({ transactions: withExtras(plainText) });

  const { status, body } = await get('/api/v2/transaction?per-page=50&expand=extras');

  expect([status, body.data.length]).toEqual([200, 50]);
});

test('S-35 a response that is too large for the platform is a 400 that says what to do', async () => {
  const { get } = await aV2Read({ transactions: withExtras(manyQuotes) });

  const whole = await get('/api/v2/transaction?per-page=50&expand=extras');
  const fitting = await get('/api/v2/transaction?per-page=46&expand=extras');
  const oneMore = await get('/api/v2/transaction?per-page=47&expand=extras');

  expect([whole.status, fitting.status, oneMore.status]).toEqual([400, 200, 400]);
  expect(whole.body.type).toBe('https://api.example/docs/problems#answer-too-large');
  expect(whole.body.detail).toBe(
    'The answer would be larger than 6 MB. Ask for per-page=46, or for fewer fields.',
  );
});

test('WR-4 the suggested per-page fits the largest records of the page, at any position', async () => {
  const payments = (bytes: number) => [{ id: 1, settings: 'x'.repeat(bytes) }];
  const records = many(50, (n) => ({ payments: payments(n % 5 === 0 ? 300_000 : 100_000) }));
  const { get } = await aV2Read({ transactions: records });

  const whole = await get('/api/v2/transaction?per-page=50&expand=payments');
  const named = /per-page=(\d+),/.exec(whole.body.detail)?.[1];
  const first = await get(`/api/v2/transaction?per-page=${named}&expand=payments`);

  expect([whole.status, named, first.status]).toEqual([400, '20', 200]);
});
