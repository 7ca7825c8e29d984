import { describe, expect, test } from '@jest/globals';
import { type Exchange, judge } from '../../support/openapi/exchange.ts';

const always = {
  'Request-Id': 'r-1',
  'Cache-Control': 'private, no-cache',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Authorization',
};

type Answer = { status?: number; headers?: Record<string, string | undefined>; body?: unknown };

const findingsOf = (request: Partial<Pick<Exchange, 'method' | 'target' | 'sent'>>, answer: Answer) => {
  const { status = 200, headers = {}, body } = answer;
  const all = Object.entries({ ...always, 'Content-Type': 'application/json', ...headers });
  return judge({
    ...{ method: 'GET', target: '/oauth2/introspect', sent: { contentType: '', text: '' }, ...request },
    answer: {
      status,
      headers: new Headers(all.flatMap(([name, value]) => (value ? [[name, value]] : []))),
      text: body === undefined ? '' : JSON.stringify(body),
    },
  }).findings;
};

const form = { contentType: 'application/x-www-form-urlencoded', text: 'token=abc' };
const inactive = { active: false };
const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };
const introspected = (answer: Answer, sent = form) =>
  findingsOf(
    { method: 'POST', sent },
    { body: inactive, ...answer, headers: { ...noStore, ...answer.headers } },
  );

const notFound = {
  ...{ name: 'Not Found', message: 'Nothing is here.', code: 0, status: 404, type: 'about:blank' },
  ...{ title: 'Not Found', detail: 'Nothing is here.', instance: '/x', requestId: 'r-1' },
};

describe('OA-3 an answer', () => {
  test('an exchange that matches the document has no finding', () => {
    expect(introspected({})).toEqual([]);
  });

  test.each<[string, Answer, string]>([
    [
      'a member more',
      { body: { ...inactive, sub: 'x', nope: 1 } },
      '/ must NOT have additional properties {"additionalProperty":"nope"}',
    ],
    ['another status', { status: 418 }, 'the status is not described'],
    [
      'another content type',
      { headers: { 'Content-Type': 'text/html' } },
      'the content type "text/html" is not',
    ],
    ['a header more', { headers: { 'X-Powered-By': 'x' } }, 'the header x-powered-by is not described: x'],
    ['a header less', { headers: { 'Request-Id': undefined } }, 'the header request-id is missing'],
    ['another Vary', { headers: { Vary: 'X' } }, 'the header vary is not described: X'],
    ['no body', { body: undefined }, 'the body is no JSON'],
  ])('with %s names its operation, its path and what it is', (_, answer, finding) => {
    const [first = '', ...more] = introspected(answer);

    expect([first, ...more].join('\n')).toContain(finding);
    expect(first).toMatch(/^introspectToken \(POST \/oauth2\/introspect\), \d{3}: /);
  });

  test('a request that does not match has a finding if it was accepted, and none if it was refused', () => {
    const wrong = { ...form, text: 'hint=x' };

    expect(introspected({}, wrong).join()).toContain('the request: / must have required property');
    expect(
      introspected({ status: 400, body: { error: 'invalid_request', error_description: 'x' } }, wrong),
    ).toEqual([]);
  });
});

describe('OA-3 outside the document', () => {
  const problem = { 'Content-Type': 'application/problem+json' };

  test('ERR-5 an unknown path is the gateway’s 404, in the form of all problems', () => {
    const unknown = { target: '/api/v2/nope' };

    expect(findingsOf(unknown, { status: 404, headers: problem, body: notFound })).toEqual([]);
    expect(findingsOf(unknown, { body: notFound })).toEqual(['GET /api/v2/nope, 200: there is no such path']);
    expect(findingsOf(unknown, { status: 404, body: { message: 'x' } })).not.toEqual([]);
  });

  test('VERB-1 an unknown method is 405 with Allow, and OPTIONS 204', () => {
    const remove = { method: 'DELETE', target: '/api/v2/transaction' };
    const body = { ...notFound, status: 405 };

    expect(findingsOf(remove, { status: 405, headers: { Allow: 'GET' }, body })).toEqual([]);
    expect(findingsOf(remove, { status: 405, body })).toEqual([
      'DELETE /api/v2/transaction, 405: the header Allow is missing',
    ]);
    expect(findingsOf({ ...remove, method: 'OPTIONS' }, { status: 204 })).toEqual([]);
  });
});
