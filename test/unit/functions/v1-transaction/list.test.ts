import { describe, expect, test } from '@jest/globals';
import { address, aV1, baseUrl } from '../../../support/apis/v1-transaction.ts';
import { uuidOf } from '../../../support/builders/transactions.ts';
import { aWholePayment } from '../../../support/builders/whole-elements.ts';

/** A session with twelve transactions, every third one complete, between those of another session. */
const aSession = async () => {
  const v1 = await aV1();
  for (let n = 1; n <= 12; n += 1) {
    await v1.given('s1', {
      uuid: uuidOf(n),
      status: n % 3 === 0 ? 1 : 0,
      vehicle: { identifiers: { ndstockid: `stock ${n % 2}`, salesmasterid: `sales ${n}` } },
      payments: [{ id: n, value: '1.00', token: 'tok_secret' }],
    });
    await v1.given('s2', { uuid: uuidOf(100 + n), vehicle: { identifiers: { ndstockid: 'stock 0' } } });
  }
  await v1.given('s1', { uuid: uuidOf(50), isDeleted: 1 });
  const token = await v1.tokens.issue('s1');
  return { v1, list: (query: string) => v1.as(token, `${address}?${query}`) };
};

const uuidsOf = (body: { data: { uuid: string }[] }) => body.data.map(({ uuid }) => uuid);

describe('V1-3 a filter makes the response a list', () => {
  test.each([
    ['filter[status]=0', [1, 2, 4, 5, 7, 8, 10, 11]],
    ['filter[status]=1', [3, 6, 9, 12]],
    [`filter[uuid]=${uuidOf(2)}`, [2]],
    [`filter[uuid]=${uuidOf(101)}`, []],
    [`filter[uuid]=${uuidOf(50)}`, []],
    ['filter[identifiers][ndstockid]=stock 0', [2, 4, 6, 8, 10, 12]],
    ['filter[identifiers][ndstockid]=stock+0&filter[status]=1', [6, 12]],
    ['filter[identifiers][salesmasterid]=sales 7', [7]],
  ])('%s lists the session’s own transactions: %j', async (query, expected) => {
    const { list } = await aSession();

    const { status, body } = await list(`per-page=50&${query}`);

    expect([status, uuidsOf(body)]).toEqual([200, expected.map(uuidOf)]);
  });

  test('LIST-1 LINK-2 PAGE-4 a list has the envelope, and links on /transaction', async () => {
    const { list } = await aSession();

    const { body, headers } = await list('filter[status]=0&fields=uuid&per-page=3&page=2');

    const href = 'https://api.example/transaction?filter%5Bstatus%5D=0&fields=uuid&per-page=3&page';
    expect(Object.keys(body)).toEqual(['_expand', 'data', '_links', '_meta']);
    expect(body.data).toEqual([{ uuid: uuidOf(5) }, { uuid: uuidOf(7) }, { uuid: uuidOf(8) }]);
    expect(body._meta).toEqual({ totalCount: 8, pageCount: 3, currentPage: 2, perPage: 3 });
    expect(body._links).toEqual({
      self: { href: `${href}=2` },
      first: { href: `${href}=1` },
      last: { href: `${href}=3` },
      prev: { href: `${href}=1` },
      next: { href: expect.stringContaining(`${href}=3&after=`) },
    });
    expect(headers).toMatchObject({ 'X-Pagination-Total-Count': '8', ETag: expect.stringMatching(/^W\/"/) });
  });

  test("LINK-5 S-09 next, followed, goes on; another session's list ignores it, and its page number counts", async () => {
    const { v1, list } = await aSession();
    const { body, token = '' } = await list('filter[status]=0&per-page=2');
    const path = body._links.next.href.slice(baseUrl.length);

    const next = await v1.as(token, path);
    const ofAnother = await v1.as(await v1.tokens.issue('s2'), path);

    expect(uuidsOf(next.body)).toEqual([4, 5].map(uuidOf));
    expect(uuidsOf(ofAnother.body)).toEqual([103, 104].map(uuidOf));
  });

  test('SHOW-1 payment tokens are never shown', async () => {
    const { list } = await aSession();

    const { body, text } = await list('filter[status]=1&expand=payments');

    expect(body.data[0].payments).toEqual([aWholePayment({ id: 3, value: '1.00' })]);
    expect(text).not.toContain('tok_secret');
  });

  test('V1-4 an empty list creates no transaction', async () => {
    const v1 = await aV1();

    const { status, body } = await v1.as(await v1.tokens.issue('s1'), `${address}?filter[status]=0`);

    expect([status, body.data, body._meta.totalCount, await v1.howMany()]).toEqual([200, [], 0, 0]);
  });
});

test('FLT-2 the response names every fault at once', async () => {
  const { list } = await aSession();

  const { status, body } = await list('filter[status]=2&filter[nope]=1&Filter=&filter[uuid]=');

  const fields = body.errors.map(({ field }: { field: string }) => field);
  expect([status, fields]).toEqual([422, ['filter[status]', 'filter[nope]', 'Filter', 'filter[uuid]']]);
});

test.each([
  ['by parameter', `?uuid=${uuidOf(1)}&`],
  ['by path', `/${uuidOf(1)}?`],
  ['of a uuid that is unknown', '?uuid=nonsense&'],
])('FLT-4 ERR-3 a read of one transaction takes no filter: %s', async (_, target) => {
  const v1 = await aV1();
  const token = await v1.tokens.issue('s1');

  const { status, body } = await v1.as(token, `${address}${target}filter[status]=1&Filter[x]=2&page=2`);

  const message = 'Only lists take a filter.';
  expect([status, body.errors]).toEqual([
    422,
    [
      { field: 'filter[status]', message },
      { field: 'Filter[x]', message },
    ],
  ]);
});
