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

test.each([
  ['/api/v2/transaction', 'GET, HEAD, OPTIONS'],
  [single, 'GET, HEAD, PATCH, PUT, OPTIONS'],
])('VERB-1 OPTIONS %s needs no token and names the methods, also the writes', async (path, allow) => {
  const { get } = await aV2Read();

  const { status, headers, text } = await get(path, { method: 'OPTIONS', headers: none });

  expect([status, headers.Allow, text]).toEqual([204, allow, '']);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'get', 'TRACE'])(
  'VERB-1 ERR-3 %s is 405 with the allowed methods, before the token is checked',
  async (method) => {
    const { get } = await aV2Read();

    const { status, headers, body } = await get('/api/v2/transaction', { method, headers: none });

    expect([status, headers.Allow, body.name]).toEqual([405, 'GET, HEAD, OPTIONS', 'Method Not Allowed']);
  },
);

const withoutScope = { headers: { Authorization: `Bearer write.${aPartner().clientId}` } };
test.each([
  ['an unknown route comes before the method', '/nope', { method: 'POST', headers: none }, 404],
  ['the token before a bad filter', '/api/v2/transaction?filter[nope]=1', { headers: none }, 401],
  ['the OAuth scope before a bad filter', '/api/v2/transaction?filter[nope]=1', withoutScope, 403],
  ['S-11 the OAuth scope before existence', '/api/v2/transaction/nope', withoutScope, 403],
  ['parameters before existence', '/api/v2/transaction/nope?a[b][c][d][e]=1', {}, 400],
  ['too many levels before a bad filter', '/api/v2/transaction?filter[nope]=1&a[b][c][d][e]=1', {}, 400],
])('ERR-3 %s', async (_, target, more, expected) => {
  const { get } = await aV2Read({ transactions });

  expect((await get(target, more)).status).toBe(expected);
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
  [['a', 'b'], undefined],
])('ERR-5 the correlation id %j comes back as %j', async (sent, echoed) => {
  const { get } = await aV2Read();

  const { headers } = await get('/api/v2/transaction', { headers: { 'x-correlation-id': sent } });

  expect(headers['X-Correlation-Id']).toBe(echoed);
});

test('COND-1 a list has a weak tag, a single transaction a strong one of its version and representation', async () => {
  const { get, store } = await aV2Read({ transactions });
  const tagOf = async (path: string) => (await get(path)).headers.ETag;

  const whole = await tagOf(single);
  const narrowed = await tagOf(`${single}?fields=uuid`);
  const before = await store.byUuid(uuidOf(1));
  if (before) await store.replace(before, { ...before, version: 2 });

  expect(await tagOf('/api/v2/transaction')).toMatch(/^W\/"[\w-]{22}"$/);
  expect(whole).toMatch(/^"1\.[\w-]{22}"$/);
  expect(narrowed).toMatch(/^"1\.[\w-]{22}"$/);
  expect(narrowed).not.toBe(whole);
  // Also where nothing that is shown changed.
  expect(await tagOf(`${single}?fields=uuid`)).toMatch(/^"2\./);
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

test.each([
  ['Error', 500, undefined, 'requestFailed'],
  ['ThrottlingException', 503, '2', 'storeUnavailable'],
  ['TimeoutError', 503, '2', 'storeUnavailable'],
  ['InternalServerError', 503, '2', 'storeUnavailable'],
  ['ProvisionedThroughputExceededException', 503, '2', 'storeUnavailable'],
])(
  'ERR-4 ERR-5 a store that fails by %s is %i with fixed text, logged once without its message',
  async (...row) => {
    const [name, expected, retryAfter, code] = row;
    const logged: unknown[] = [];
    const fault = () => Promise.reject(Object.assign(new Error('secret of the store'), { name }));
    const { get } = await aV2Read({
      reader: { byUuid: fault, listWithin: fault },
      log: (line, facts) => logged.push([line, facts.status]),
    });

    for (const path of ['/api/v2/transaction', single]) {
      logged.length = 0;
      const { status, text, headers } = await get(path);

      expect([status, headers['Retry-After'], headers['Request-Id']]).toEqual([
        expected,
        retryAfter,
        'request-1',
      ]);
      expect(text).not.toContain('secret');
      expect(logged).toEqual([
        [code, undefined],
        ['requestAnswered', expected],
      ]);
    }
  },
);

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

/** About 100 kB of JSON, the most that is stored beside payments (WR-4). */
const withExtras = (extras: JsonObject) => many(50, () => ({ extras }));
const plainText = { text: 'x'.repeat(99_000) };
const manyQuotes = Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`m${n}`, '']));

test('S-35 fifty of the largest records fit one answer; what the platform would refuse is a 400 that says what to do', async () => {
  const largest = await aV2Read({ transactions: withExtras(plainText) });
  const { get } = await aV2Read({ transactions: withExtras(manyQuotes) });
  const page = (size: number) => `/api/v2/transaction?per-page=${size}&expand=extras`;

  const fifty = await largest.get(page(50));
  const whole = await get(page(50));
  const fitting = await get(page(46));
  const oneMore = await get(page(47));

  expect([fifty.status, fifty.body.data.length]).toEqual([200, 50]);
  expect([whole.status, fitting.status, oneMore.status]).toEqual([400, 200, 400]);
  expect(whole.body).toMatchObject({
    type: 'https://api.example/docs/problems#answer-too-large',
    detail: 'The answer would be larger than 6 MB. Ask for per-page=46, or for fewer fields.',
  });
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
