import { describe, expect, test } from '@jest/globals';
import { coverageOf } from '../../support/openapi/coverage.ts';
import { type Exchange, judge } from '../../support/openapi/exchange.ts';

const always = {
  'Request-Id': 'r-1',
  'Cache-Control': 'private, no-cache',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Authorization',
};

type Answer = { status?: number; headers?: Record<string, string>; body?: unknown };

const findingsOf = (request: Partial<Pick<Exchange, 'method' | 'target' | 'sent'>>, answer: Answer) => {
  const { status = 200, headers = {}, body } = answer;
  return judge({
    ...{ method: 'GET', target: '/oauth2/introspect', sent: { contentType: '', text: '' }, ...request },
    answer: {
      status,
      headers: new Headers({ ...always, 'Content-Type': 'application/json', ...headers }),
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
  test('that is as described has no finding, its form as sent neither', () => {
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
    ['another Vary', { headers: { Vary: 'X' } }, 'the header vary is not described: X'],
    ['no body', { body: undefined }, 'the body is no JSON'],
  ])('with %s names its operation, its path and what it is', (_, answer, finding) => {
    const [first = '', ...more] = introspected(answer);

    expect([first, ...more].join('\n')).toContain(finding);
    expect(first).toMatch(/^introspectToken \(POST \/oauth2\/introspect\), \d{3}: /);
  });

  test('without a header that is required names it', () => {
    const exchange: Exchange = {
      ...{ method: 'POST', target: '/oauth2/introspect', sent: form },
      answer: {
        status: 200,
        headers: new Headers({ 'Content-Type': 'application/json' }),
        text: JSON.stringify(inactive),
      },
    };

    expect(judge(exchange).findings).toContain(
      'introspectToken (POST /oauth2/introspect), 200: the header request-id is missing',
    );
  });

  test('to a request that is not as described has a finding where it was taken, and none where it was refused', () => {
    const wrong = { ...form, text: 'hint=x' };

    expect(introspected({}, wrong).join()).toContain('the request: / must have required property');
    expect(
      introspected({ status: 400, body: { error: 'invalid_request', error_description: 'x' } }, wrong),
    ).toEqual([]);
  });
});

describe('OA-3 outside of the document', () => {
  const problem = { 'Content-Type': 'application/problem+json' };

  test('ERR-5 an unknown path is the gateway’s 404, in the shape of all problems', () => {
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

describe('S-73 the suite', () => {
  const files = ['auth.test.ts', 'paths.test.ts'];
  const whole = ['file auth.test.ts', 'file paths.test.ts'];

  test('says nothing where only a part of it ran', () => {
    expect(coverageOf(new Set(['getPartner 200', 'file auth.test.ts']), files)).toBeUndefined();
  });

  test('names each operation that no test has called, a refusal not counted', () => {
    const all = ['getKeySet', 'getPartner'].map((id) => ({ id, method: 'GET', path: '', place: '' }));
    const places = ['#/paths/~1oauth2~1jwks/get', '#/paths/~1api~1v2~1partner/get'];
    const placed = all.map((one, index) => ({ ...one, place: places[index] ?? '' }));
    const coverage = coverageOf(new Set([...whole, 'getKeySet 200', 'getPartner 401']), files, placed);

    expect(coverage?.neverCalled).toEqual(['getPartner']);
    expect(coverage?.sentence).toContain('the e2e suite met 1 of 2 operations');
  });
});
