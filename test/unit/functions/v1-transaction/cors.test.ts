import { describe, expect, test } from '@jest/globals';
import { address, aV1, shop } from '../../../support/apis/v1-transaction.ts';
import { type Ask, sending } from '../../../support/builders/http-event.ts';
import { createMemoryTransactions } from '../../../support/memory/transactions.ts';

const corsOf = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('Access-Control-')));

/** What scripts of the shop may read; credentials are not asked for. */
const readable = {
  'Access-Control-Allow-Origin': shop,
  'Access-Control-Expose-Headers':
    'authentication-token, ETag, Idempotency-Replayed, Link, Location, Request-Id, Retry-After, WWW-Authenticate, X-Correlation-Id, ' +
    'X-Pagination-Total-Count, X-Pagination-Page-Count, X-Pagination-Current-Page, X-Pagination-Per-Page',
};

describe('V1-7 S-44 CORS: which pages may read responses', () => {
  test.each([
    [shop, true],
    ['https://shop.example/', false],
    ['https://shop.example:443', false],
    ['https://SHOP.example', false],
    ['https://shop.example.evil.example', false],
    ['null', false],
    ['*', false],
    ['', false],
  ])('%s: %s', async (origin, isAllowed) => {
    const v1 = await aV1();

    const { headers } = await v1.ask(address, { headers: { Origin: origin } });
    const written = await v1.ask(address, sending('POST', {}, { Origin: origin }));

    expect(corsOf(headers)).toEqual(isAllowed ? readable : {});
    expect(corsOf(written.headers)).toEqual(isAllowed ? readable : {});
    expect(headers.Vary).toBe('Authorization, Origin');
  });

  test.each<[string, string, number, Ask]>([
    ['a uuid without a token', '?uuid=x', 404, {}],
    ['a filter without a token', '?filter[status]=0', 401, {}],
    ['an unknown filter without a token', '?filter[nope]=1', 401, {}],
    ['a filter in capitals without a token', '?FILTER=1', 401, {}],
    ['a filter and a uuid without a token', '?filter[status]=0&uuid=x', 404, {}],
    ['an invalid token', '', 401, { headers: { Authorization: 'Bearer x' } }],
    ['a location of others', '?location=nowhere', 403, {}],
    ['too many levels', '?a[b][c][d][e]=1', 400, {}],
    ['a prefetch', '', 204, { headers: { 'Sec-Purpose': 'prefetch' } }],
    ['an invalid token at an address of nothing', '/a/b', 404, { headers: { Authorization: 'Bearer x' } }],
    ['a body with an unknown member', '', 422, sending('POST', { nope: 1 })],
    ['a body of another type', '', 415, { method: 'POST', body: 'x' }],
  ])('TH-01 S-25 ERR-3 the shop reads the answer to %s: no token', async (_, query, expected, ask) => {
    const v1 = await aV1();

    const answer = await v1.ask(`${address}${query}`, {
      ...ask,
      headers: { Origin: shop, ...ask.headers },
    });

    expect([answer.status, answer.token, corsOf(answer.headers)]).toEqual([expected, undefined, readable]);
  });

  test('a preflight of a registered origin learns what it may send, any other nothing', async () => {
    const v1 = await aV1();
    const ask = (origin: string) => v1.ask(address, { method: 'OPTIONS', headers: { Origin: origin } });

    const [own, other] = [await ask(shop), await ask('https://evil.example')];

    expect([own.status, corsOf(own.headers), own.headers.Vary]).toEqual([
      204,
      {
        ...readable,
        'Access-Control-Allow-Methods': 'GET, HEAD, POST, PATCH, PUT',
        // Any header of a request without credentials passes, such as a tracer's. The wildcard does not cover Authorization.
        'Access-Control-Allow-Headers':
          'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Correlation-Id, *',
        'Access-Control-Max-Age': '600',
      },
      'Authorization, Origin',
    ]);
    expect([other.status, corsOf(other.headers)]).toEqual([204, {}]);
  });

  test.each([
    ['ThrottlingException', 503, '2'],
    ['ValidationException', 500, undefined],
  ])(
    'ERR-4 %s of the store is %i with fixed text, which the shop reads with or without a token',
    async (...row) => {
      const [name, expected, retryAfter] = row;
      const failing = async () => {
        throw Object.assign(new Error('secret detail'), { name });
      };
      const transactions = { ...createMemoryTransactions(), create: failing, newestIncomplete: failing };
      const v1 = await aV1({ transactions });
      const own = await v1.tokens.issue('s');

      for (const token of [undefined, own]) {
        const authorization = token === undefined ? undefined : { Authorization: `Bearer ${token}` };
        const answer = await v1.ask(address, { headers: { Origin: shop, ...authorization } });

        expect(answer).toMatchObject({ status: expected, token, headers: readable });
        expect([answer.headers['Retry-After'], answer.text.includes('secret')]).toEqual([retryAfter, false]);
      }
    },
  );
});
