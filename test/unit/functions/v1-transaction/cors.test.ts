import { describe, expect, test } from '@jest/globals';
import { aV1, shop } from '../../../support/apis/v1-transaction.ts';
import { createMemoryTransactions } from '../../../support/memory/transactions.ts';

const address = '/api/transaction';
const namesOf = (headers: object) =>
  Object.keys(headers).filter((name) => name.startsWith('Access-Control-'));

describe('V1-7 S-44 CORS: which pages may read responses', () => {
  test.each([
    [shop, true],
    ['https://shop.example/', false],
    ['https://shop.example:443', false],
    ['https://SHOP.example', false],
    ['http://shop.example', false],
    ['https://evil.shop.example', false],
    ['https://shop.example.evil.example', false],
    ['https://shop.exampleX', false],
    ['null', false],
    ['*', false],
    ['', false],
    [`https://${'a'.repeat(5000)}`, false],
  ])('%s: %s', async (origin, allowed) => {
    const v1 = await aV1();

    const { headers } = await v1.ask(address, { headers: { Origin: origin } });

    expect(headers['Access-Control-Allow-Origin']).toBe(allowed ? origin : undefined);
    expect(namesOf(headers).length > 0).toBe(allowed);
    expect(headers.Vary).toBe('Authorization, Origin');
  });

  test.each([
    ['a first call', '', {}, 200],
    ['a uuid without a token', '?uuid=x', {}, 404],
    ['an invalid token', '', { Authorization: 'Bearer x' }, 401],
    ['a location of others', '?location=nowhere', {}, 403],
    ['too many levels', '?a[b][c][d][e]=1', {}, 400],
    ['a prefetch', '', { 'Sec-Purpose': 'prefetch' }, 204],
    ['an address that is none of ours', '/x', {}, 404],
  ])(
    'S-25 %s: the session token is exposed, and credentials are not allowed',
    async (_name, query, more, expected) => {
      const v1 = await aV1();

      const { status, headers } = await v1.ask(`${address}${query}`, { headers: { Origin: shop, ...more } });

      expect(status).toBe(expected);
      expect(headers).toMatchObject({
        'Access-Control-Allow-Origin': shop,
        'Access-Control-Expose-Headers':
          'authentication-token, ETag, Idempotency-Replayed, Link, Location, Request-Id, Retry-After, WWW-Authenticate, X-Correlation-Id, ' +
          'X-Pagination-Total-Count, X-Pagination-Page-Count, X-Pagination-Current-Page, X-Pagination-Per-Page',
      });
      expect(namesOf(headers)).toEqual(['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers']);
    },
  );

  test('a preflight from a registered origin lists the allowed methods and headers', async () => {
    const v1 = await aV1();

    const { status, headers } = await v1.ask(address, {
      method: 'OPTIONS',
      headers: {
        Origin: shop,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'authorization',
      },
    });

    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'Access-Control-Allow-Origin': shop,
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PATCH, PUT',
      'Access-Control-Allow-Headers':
        'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Correlation-Id',
      'Access-Control-Max-Age': '600',
      Vary: 'Authorization, Origin',
    });
    expect(headers['Access-Control-Allow-Credentials']).toBeUndefined();
  });

  test('a preflight from any other origin allows nothing', async () => {
    const v1 = await aV1();

    const { status, headers } = await v1.ask(address, {
      method: 'OPTIONS',
      headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'GET' },
    });

    expect(status).toBe(204);
    expect(namesOf(headers)).toEqual([]);
  });

  test('OWN-1 an origin is allowed until its last storefront is retired', async () => {
    const v1 = await aV1();
    await v1.storefronts.retire('F1 north');
    const withOne = await v1.ask(address, { headers: { Origin: shop } });
    await v1.storefronts.retire('F1 south');

    const without = await v1.ask(address, { headers: { Origin: shop } });
    const preflight = await v1.ask(address, { method: 'OPTIONS', headers: { Origin: shop } });

    expect(withOne.headers['Access-Control-Allow-Origin']).toBe(shop);
    expect([without.status, preflight.status]).toEqual([403, 204]);
    expect([...namesOf(without.headers), ...namesOf(preflight.headers)]).toEqual([]);
  });

  test('ERR-4 a page may read a 500 response, which says when to retry', async () => {
    const transactions = {
      ...createMemoryTransactions(),
      create: async () => {
        throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
      },
    };
    const v1 = await aV1({ transactions });

    const { status, headers } = await v1.ask(address, { headers: { Origin: shop } });

    expect(status).toBe(503);
    expect(headers).toMatchObject({ 'Access-Control-Allow-Origin': shop, 'Retry-After': '2' });
  });
});
