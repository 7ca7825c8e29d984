import { expect, test } from '@jest/globals';
import { aV2Read, many } from '../../../support/apis/v2-read.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { anOwner, uuidOf } from '../../../support/builders/transactions.ts';
import { createMemoryCursorKeys } from '../../../support/memory/cursor-keys.ts';

const expandNames =
  'vehicle,ndMeta,extras,deliveryCollection,selectedPaymentMethod,financeProposal,valuation,customer,payments,financeDefaults';
const pageHref = (page: number, perPage = 10) =>
  `https://api.example/v2/transaction?page=${page}&per-page=${perPage}`;

test('LIST-1 an empty list has the whole envelope, in order', async () => {
  const { get } = await aV2Read();

  const { status, text, headers } = await get('/api/v2/transaction');

  expect(status).toBe(200);
  expect(text).toBe(
    `{"_expand":"${expandNames}","data":[],"_links":{"self":{"href":"${pageHref(1)}"},"first":{"href":"${pageHref(1)}"},"last":{"href":"${pageHref(1)}"}},"_meta":{"totalCount":0,"pageCount":0,"currentPage":1,"perPage":10}}`,
  );
  expect(headers['Content-Type']).toBe('application/json; charset=UTF-8');
});

test('LIST-1 slashes and Unicode are not escaped', async () => {
  const { get } = await aV2Read({ transactions: [{ referrerUrl: 'https://shop.example/ö/車' }] });

  const { text } = await get('/api/v2/transaction?fields=referrerUrl');

  expect(text).toContain('"data":[{"referrerUrl":"https://shop.example/ö/車"}]');
});

test.each([
  ['its group', aPartner().grants, [3, 1, 2]],
  ['nothing', [], []],
])(
  'LIST-2 GRANT-1 DEL-1 S-05 S-17 a partner of %s, with grants %j, is shown %j, in creation order',
  async (...row) => {
    const [, grants, numbers] = row;
    const { get } = await aV2Read({
      transactions: [
        { uuid: uuidOf(3) },
        { uuid: uuidOf(4), ndMeta: anOwner({ group: 'group-b' }) },
        { uuid: uuidOf(1) },
        { uuid: uuidOf(5), isDeleted: 1 },
        { uuid: uuidOf(2) },
      ],
      partners: [aPartner({ grants })],
    });

    const { body } = await get('/api/v2/transaction?fields=uuid&sort=-uuid');

    expect(body.data).toEqual(numbers.map((number) => ({ uuid: uuidOf(number) })));
    expect(body._meta.totalCount).toBe(numbers.length);
  },
);

test.each([
  ['page', 1, 10],
  ['page=', 1, 10],
  ['page=0', 1, 10],
  ['page=-3', 1, 10],
  ['page=two', 1, 10],
  ['page[]=2', 1, 10],
  ['page=2', 2, 10],
  ['page=2abc', 2, 10],
  ['page=abc2', 1, 10],
  ['page=2.9', 2, 10],
  ['page=+2', 2, 10],
  ['page=%2B2', 2, 10],
  ['page=1&page=2', 2, 10],
  ['page=1000000000', 1_000_000_000, 10],
  ['page=99999999999999999999999999', 1_000_000_000, 10],
  ['per-page=', 1, 10],
  ['per-page=many', 1, 10],
  ['per-page=0', 1, 1],
  ['per-page=-1', 1, 1],
  ['per-page=1', 1, 1],
  ['per-page=50', 1, 50],
  ['per-page=51', 1, 50],
  ['per-page=99999999999999999999999999', 1, 50],
  ['per-page=20&per-page=30', 1, 30],
])('PAGE-1 PAGE-2 %s asks for page %d of %d', async (query, currentPage, perPage) => {
  const { get } = await aV2Read();

  const { body } = await get(`/api/v2/transaction?${query}`);

  expect(body._meta).toEqual({ totalCount: 0, pageCount: 0, currentPage, perPage });
});

test.each([
  ['the first of three pages', 1, 10, { self: 1, first: 1, last: 3, next: 2 }],
  ['the middle page', 2, 10, { self: 2, first: 1, last: 3, prev: 1, next: 3 }],
  ['the last page', 3, 5, { self: 3, first: 1, last: 3, prev: 2 }],
  ['a page past the end', 9, 0, { self: 9, first: 1, last: 3, prev: 3 }],
])('LINK-1 PAGE-3 PAGE-4 %s has the true totals, and links to its neighbours in order', async (...row) => {
  const [, currentPage, count, pages] = row;
  const { get } = await aV2Read({ transactions: many(25) });

  const { status, body } = await get(`/api/v2/transaction?page=${currentPage}`);

  const linked = Object.entries(body._links as Record<string, { href: string }>).map(
    ([relation, { href }]) => [relation, Number(new URL(href).searchParams.get('page'))],
  );
  expect(linked).toEqual(Object.entries(pages));
  expect([status, body.data.length]).toEqual([200, count]);
  expect(body._meta).toEqual({ totalCount: 25, pageCount: 3, currentPage, perPage: 10 });
});

test.each([
  ['/api/v2/transaction', 'page=1&per-page=10'],
  ['/v2/transaction/', 'page=1&per-page=10'],
  ['/api/v2/transaction?filter[status]=0', 'filter%5Bstatus%5D=0&page=1&per-page=10'],
  ['/api/v2/transaction?page=x&expand=payments,customer', 'page=1&expand=payments%2Ccustomer&per-page=10'],
  ['/api/v2/transaction?per-page=99&fields=uuid', 'per-page=50&fields=uuid&page=1'],
  ['/api/v2/transaction?utm=a+b%20c&utm=d', 'utm=a+b+c&utm=d&page=1&per-page=10'],
  ['/api/v2/transaction?page=1&page=1', 'page=1&per-page=10'],
  ['/api/v2/transaction?a%26b=%3D%23&empty', 'a%26b=%3D%23&empty=&page=1&per-page=10'],
  ['/api/v2/transaction?__proto__=1&constructor[x]=2', '__proto__=1&constructor%5Bx%5D=2&page=1&per-page=10'],
  ['/api/v2/transaction?x=%FF%FE&y=%C3%A9%FF', 'x=%EF%BF%BD%EF%BF%BD&y=%C3%A9%EF%BF%BD&page=1&per-page=10'],
  ['/api/v2/transaction?after=nonsense', 'after=nonsense&page=1&per-page=10'],
])('LINK-2 LINK-3 the links of %s repeat every parameter', async (target, query) => {
  const { get } = await aV2Read();

  const { body } = await get(target, {
    headers: { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' },
  });

  expect(body._links.self.href).toBe(`https://api.example/v2/transaction?${query}`);
});

test.each([
  ['', 'page=2&per-page=10&after=CURSOR'],
  ['after=x&page=1', 'after=CURSOR&page=2&per-page=10'],
])('LINK-5 the next link of "?%s" has the cursor in its place, else at the end', async (asked, query) => {
  const { get } = await aV2Read({ transactions: many(25) });

  const { body } = await get(`/api/v2/transaction?${asked}`);

  expect(body._links.next.href.replace(/after=[\w.-]+/, 'after=CURSOR')).toBe(
    `https://api.example/v2/transaction?${query}`,
  );
});

test('LINK-4 the headers have the same figures and addresses as the body', async () => {
  const { get } = await aV2Read({ transactions: many(25) });

  const { headers, body } = await get('/api/v2/transaction?page=2');

  expect(headers).toMatchObject({
    'X-Pagination-Total-Count': '25',
    'X-Pagination-Page-Count': '3',
    'X-Pagination-Current-Page': '2',
    'X-Pagination-Per-Page': '10',
  });
  expect(headers.Link).toBe(
    `<${pageHref(2)}>; rel=self, <${pageHref(1)}>; rel=first, <${pageHref(3)}>; rel=last, <${pageHref(1)}>; rel=prev, <${body._links.next.href}>; rel=next`,
  );
});

test('LINK-4 addresses that are too long for a header are in the body only', async () => {
  const { get } = await aV2Read({ transactions: many(25) });
  const long = 'x'.repeat(4_000);

  const { status, headers, body } = await get(`/api/v2/transaction?long=${long}`);

  expect([status, headers.Link]).toEqual([200, undefined]);
  expect(body._links.last.href).toBe(`https://api.example/v2/transaction?long=${long}&page=3&per-page=10`);
});

const follow = (href: string) => href.replace('https://api.example', '');
const setDeleted = async ({ store }: Awaited<ReturnType<typeof aV2Read>>, n: number, isDeleted: 0 | 1) => {
  const before = await store.byUuid(uuidOf(n));
  if (!before) throw new Error(`transaction ${n} is missing`);
  const transaction = { ...before.transaction, isDeleted };
  await store.replace(before, { ...before, transaction, version: before.version + 1 });
};

type Meanwhile = { count: number; deleted?: number[]; restored?: number[] };
test.each<[string, Meanwhile]>([
  ['nothing happens', { count: 25 }],
  ['one record of the first page is deleted', { count: 25, deleted: [4] }],
  ['the whole first page is deleted', { count: 30, deleted: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }],
  ['the last record that was read is deleted', { count: 25, deleted: [10] }],
  ['records before it are restored', { count: 20, restored: [1, 2, 3] }],
])('LINK-5 following next repeats and skips nothing while %s', async (_, meanwhile) => {
  const { count, deleted = [], restored = [] } = meanwhile;
  const transactions = many(count, (n) => ({ isDeleted: restored.includes(n) ? 1 : 0 }));
  const service = await aV2Read({ transactions });
  const first = await service.get('/api/v2/transaction?fields=uuid');
  for (const n of deleted) await setDeleted(service, n, 1);
  for (const n of restored) await setDeleted(service, n, 0);

  const seen = first.body.data;
  for (let links = first.body._links; links.next; ) {
    const { body } = await service.get(follow(links.next.href));
    seen.push(...body.data);
    links = body._links;
  }

  expect(seen).toEqual(transactions.filter(({ isDeleted }) => isDeleted === 0).map(({ uuid }) => ({ uuid })));
});

test('LINK-5 only self and next carry a cursor, and a full last page that was reached by one has no next', async () => {
  const { get } = await aV2Read({ transactions: many(30) });
  const first = await get('/api/v2/transaction');

  const second = await get(follow(first.body._links.next.href));
  const last = await get(follow(second.body._links.next.href));

  const carrying = Object.entries<{ href: string }>(second.body._links)
    .filter(([, { href }]) => href.includes('after='))
    .map(([relation]) => relation);
  expect(carrying).toEqual(['self', 'next']);
  expect(last.body._meta).toEqual({ totalCount: 30, pageCount: 3, currentPage: 3, perPage: 10 });
  expect(Object.keys(last.body._links)).toEqual(['self', 'first', 'last', 'prev']);
});

const cursorOf = (body: { _links: { next: { href: string } } }) =>
  new URL(body._links.next.href).searchParams.get('after') ?? '';

test('LINK-5 S-03 a cursor of another partner with the same grants is ignored', async () => {
  const service = await aV2Read({
    transactions: many(25),
    partners: [aPartner({ clientId: 'OWN' }), aPartner({ clientId: 'OTHER' })],
  });
  const asOther = { headers: { Authorization: 'Bearer OTHER' } };
  const { body } = await service.get('/api/v2/transaction', asOther);
  await setDeleted(service, 4, 1);
  const target = `/api/v2/transaction?fields=uuid&page=2&after=${cursorOf(body)}`;

  const ofOwn = await service.get(target);
  const ofOther = await service.get(target, asOther);

  expect(ofOther.body.data[0]).toEqual({ uuid: uuidOf(11) });
  expect(ofOwn.body.data[0]).toEqual({ uuid: uuidOf(12) });
});

test('LINK-5 GRANT-3 a cursor does not reveal its record, and is the same for the same page', async () => {
  const { get } = await aV2Read({ transactions: many(25) });

  const [first, again] = [await get('/api/v2/transaction'), await get('/api/v2/transaction')];

  const cursor = cursorOf(first.body);
  expect(cursor).toMatch(/^[\w-]{144}$/);
  expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain(uuidOf(10));
  expect(again.text).toBe(first.text);
  expect(again.headers).toEqual(first.headers);
});

test.each([
  ['?per-page=50', 0],
  ['', 1],
  ['?per-page=50&after=x', 1],
])(
  'LINK-5 the list "%s" reads the cursor key %i times: only for a next link or a cursor',
  async (query, times) => {
    let asked = 0;
    const cursorKeys = createMemoryCursorKeys();
    const { get } = await aV2Read({
      transactions: many(25),
      cursorKeys: {
        of: (...about) => {
          asked += 1;
          return cursorKeys.of(...about);
        },
      },
    });

    await get(`/api/v2/transaction${query}`);

    expect(asked).toBe(times);
  },
);

test('LINK-5 a cursor fits the same grants in another order, and no others', async () => {
  const both = aPartner({ grants: [{ group: 'group-a' }, { group: 'group-b', location: 'L' }] });
  const reordered = { ...both, grants: both.grants.toReversed() };
  const narrowed = { ...both, grants: both.grants.slice(0, 1) };
  const service = await aV2Read({ transactions: many(25), partners: [both] });
  const first = await service.get('/api/v2/transaction?fields=uuid');
  const next = async () => (await service.get(follow(first.body._links.next.href))).body.data[0];
  await setDeleted(service, 4, 1);

  await service.partners.update({ before: both, after: reordered });
  expect(await next()).toEqual({ uuid: uuidOf(11) });
  await service.partners.update({ before: reordered, after: narrowed });
  expect(await next()).toEqual({ uuid: uuidOf(12) });
});

test('GRANT-2 S-06 changed grants count from the next request on, without a write to transactions', async () => {
  const transactions = [{ uuid: uuidOf(1) }, { uuid: uuidOf(2), ndMeta: anOwner({ group: 'group-b' }) }];
  const { get, partners, store } = await aV2Read({ transactions });
  const seen = async () => {
    const { body } = await get('/api/v2/transaction?fields=uuid');
    const singles = await Promise.all([1, 2].map((n) => get(`/api/v2/transaction/${uuidOf(n)}`)));
    return [body.data, body._meta.totalCount, singles.map(({ status }) => status)];
  };
  const stored = () => Promise.all([1, 2].map((n) => store.byUuid(uuidOf(n))));
  const before = await stored();

  const first = await seen();
  await partners.update({ before: aPartner(), after: aPartner({ grants: [{ group: 'group-b' }] }) });
  const second = await seen();

  expect(first).toEqual([[{ uuid: uuidOf(1) }], 1, [200, 404]]);
  expect(second).toEqual([[{ uuid: uuidOf(2) }], 1, [404, 200]]);
  expect(await stored()).toEqual(before);
});
