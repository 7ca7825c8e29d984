import { expect, test } from '@jest/globals';
import { createHandler } from '../../../../functions/serve-docs/handler.ts';
import { createProblemWriter } from '../../../../functions/shared/http/problem.ts';
import { respond } from '../../../../functions/shared/middleware/respond.ts';
import { type Ask, httpEvent } from '../../../support/builders/http-event.ts';

const site: Record<string, string> = {
  '/docs.html': '<a href="/__base__/docs/start">start</a>',
  '/404.html': '<p>No page has this address.</p>',
  '/docs/_astro/0a1b.css': 'p {}',
  '/docs/reference/operations/list.html': '<p>List</p>',
  '/.well-known/api-catalog.linkset': '{}',
  // What a path that leads upwards would reach on a disk.
  '/docs/../openapi.json': '{}',
  '/openapi.json':
    '["https://api.transactions.example/api/v2","https://auth.transactions.example/oauth2/token"]',
};
const addresses = { baseUrl: 'https://gateway.example/staging', authUrl: 'https://tokens.example/staging' };

const ask = (path: string, asked?: Ask, baseUrl = addresses.baseUrl) => {
  const handler = respond(
    {
      log: () => {},
      clock: () => new Date('2026-11-22T12:00:00Z'),
      writeProblem: createProblemWriter(baseUrl),
    },
    createHandler({ read: async (file) => site[file], ...addresses, baseUrl }),
  );
  return handler(httpEvent(path, asked), { awsRequestId: 'r' } as Parameters<typeof handler>[1]);
};

test('DOC-1 every address in a document is one of the stage', async () => {
  const { statusCode, body } = await ask('/openapi.json');

  expect([statusCode, body]).toEqual([
    200,
    '["https://gateway.example/staging/api/v2","https://tokens.example/staging/oauth2/token"]',
  ]);
});

test('DOC-1 links within the site have the path of the stage, and no host', async () => {
  const onOwnDomain = await ask('/docs', {}, 'https://api.example');

  expect((await ask('/docs')).body).toBe('<a href="/staging/docs/start">start</a>');
  expect(onOwnDomain.body).toBe('<a href="/docs/start">start</a>');
});

test('DOC-2 a document may be cached for five minutes, and any origin may read it', async () => {
  const { headers } = await ask('/docs');

  expect(headers).toMatchObject({
    'Content-Type': 'text/html; charset=UTF-8',
    'Cache-Control': 'public, max-age=300',
    Vary: 'Accept-Encoding',
    'Access-Control-Allow-Origin': '*',
    ETag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
  });
});

test('DOC-2 a file with a hash in its name may be cached permanently', async () => {
  const { headers } = await ask('/docs/_astro/0a1b.css');

  expect(headers).toMatchObject({ 'Cache-Control': 'public, max-age=31536000, immutable' });
});

test('DOC-2 a client that has the document gets 304, and HEAD no body', async () => {
  const { headers } = await ask('/docs');

  const again = await ask('/docs', { headers: { 'If-None-Match': String(headers?.ETag) } });
  const head = await ask('/docs', { method: 'HEAD' });

  expect([again.statusCode, again.body, head.statusCode, head.body]).toEqual([304, '', 200, '']);
});

test('DOC-3 every page forbids inline scripts and styles, frames, forms, other hosts, and sends no Referer', async () => {
  const { headers } = await ask('/docs');

  expect(headers).toMatchObject({
    'Content-Security-Policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  });
});

test.each([
  ...['/docs/none', '/docs/__proto__', '/docs/constructor', '/', '/docs/../openapi.json', '/docs/%2e%2e/x'],
])('DOC-2 %s is 404, as a problem for programs', async (path) => {
  for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }]) {
    const answer = await ask(path, { headers });

    expect([answer.statusCode, answer.headers?.['Content-Type']]).toEqual([404, 'application/problem+json']);
  }
});

test('DOC-11 a browser gets a page for an unknown address, which it may not cache', async () => {
  const { statusCode, headers, body } = await ask('/docs/nope', {
    headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
  });

  expect([statusCode, body]).toEqual([404, '<p>No page has this address.</p>']);
  expect(headers).toMatchObject({
    'Content-Type': 'text/html; charset=UTF-8',
    'Cache-Control': 'no-store',
    Vary: 'Accept, Accept-Encoding',
    'Content-Security-Policy': expect.stringContaining("script-src 'self'"),
  });
  expect(headers).not.toHaveProperty('ETag');
});

test.each([
  ['/docs/reference/operations/list', 'text/html; charset=UTF-8'],
  ['/docs/_astro/0a1b.css', 'text/css; charset=UTF-8'],
  ['/openapi.json', 'application/json; charset=UTF-8'],
  ['/.well-known/api-catalog', 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'],
])('DOC-2 %s is %s', async (path, type) => {
  const { statusCode, headers } = await ask(path);

  expect([statusCode, headers?.['Content-Type']]).toEqual([200, type]);
});

test('DOC-2 a trailing slash makes no difference', async () => {
  expect((await ask('/docs/')).statusCode).toBe(200);
});

test('DOC-2 other methods than GET and HEAD are 405, and OPTIONS lists the methods, for any origin', async () => {
  const refused = await ask('/docs', { method: 'POST' });
  const { statusCode, headers } = await ask('/openapi.json', { method: 'OPTIONS' });

  expect([refused.statusCode, refused.headers?.Allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  expect([statusCode, headers]).toEqual([
    204,
    expect.objectContaining({
      Allow: 'GET, HEAD, OPTIONS',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET, HEAD',
      'Access-Control-Allow-Headers': 'If-None-Match',
      'Access-Control-Max-Age': '600',
    }),
  ]);
});
