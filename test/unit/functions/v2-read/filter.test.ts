import { expect, test } from '@jest/globals';
import { aV2Read } from '../../../support/apis/v2-read.ts';
import { anOwner, uuidOf } from '../../../support/builders/transactions.ts';

const transactions = [
  { uuid: uuidOf(1), vehicle: { identifiers: { ndstockid: 'STOCK-1', salesmasterid: 'SM-1' } } },
  { uuid: uuidOf(2), status: 1 as const, vehicle: { identifiers: { ndstockid: 'STOCK-1' } } },
  {
    uuid: uuidOf(3),
    ndMeta: anOwner({ group: 'group-b' }),
    vehicle: { identifiers: { ndstockid: 'STOCK-2' } },
  },
];

test.each([
  [`filter[uuid]=${uuidOf(2)}`, [2]],
  [`filter%5Buuid%5D=${uuidOf(2)}`, [2]],
  ['filter[status]=0', [1]],
  ['filter[status]=1', [2]],
  ['filter[identifiers][ndstockid]=STOCK-1', [1, 2]],
  ['filter[identifiers][salesmasterid]=SM-1', [1]],
  ['filter[identifiers][ndstockid]=STOCK-1&filter[status]=1', [2]],
  ['filter[identifiers][ndstockid]=stock-1', []],
  ['filter[identifiers][ndstockid]=STOCK-1%20', []],
  ['filter[uuid]=nope', []],
])('FLT-1 %s finds %j', async (query, found) => {
  const { get } = await aV2Read({ transactions });

  const { status, body } = await get(`/api/v2/transaction?fields=uuid&${query}`);

  expect(status).toBe(200);
  expect(body.data).toEqual(found.map((n) => ({ uuid: uuidOf(n) })));
  expect(body._meta.totalCount).toBe(found.length);
});

test.each([
  ['filter[uuid]', uuidOf(3), uuidOf(9)],
  ['filter[identifiers][ndstockid]', 'STOCK-2', 'STOCK-9'],
])('FLT-3 S-02 a hidden %s is answered like an unknown one', async (filter, hidden, unknown) => {
  const { get } = await aV2Read({ transactions });

  const ofHidden = await get(`/api/v2/transaction?${filter}=${hidden}`);
  const ofUnknown = await get(`/api/v2/transaction?${filter}=${unknown}`);

  expect(ofHidden.status).toBe(200);
  expect(ofHidden.text.replaceAll(hidden, unknown)).toBe(ofUnknown.text);
});

const unknown = 'The filter is unknown.';
const notScalar = 'The filter must be a single value.';
const notStatus = 'The filter must be 0 or 1.';
const repeated = 'The filter may be given only once.';
test.each([
  ['filter[uuid]=', 'filter[uuid]', 'The filter must not be empty.'],
  ['filter[uuid]', 'filter[uuid]', 'The filter must not be empty.'],
  ...['2', '01', '%200', 'true'].map((value) => [`filter[status]=${value}`, 'filter[status]', notStatus]),
  ['filter[status][]=1', 'filter[status][]', notScalar],
  ['filter[status][in]=1', 'filter[status][in]', notScalar],
  ['filter[uuid][like]=1', 'filter[uuid][like]', notScalar],
  ['filter[identifiers][ndstockid][]=1', 'filter[identifiers][ndstockid][]', notScalar],
  ['filter[identifiers]=1', 'filter[identifiers]', 'The filter must name ndstockid or salesmasterid.'],
  ['filter[status]=0&filter[status]=1', 'filter[status]', repeated],
  ['filter[status]=0&filter[status]=0', 'filter[status]', repeated],
  ['filter', 'filter', unknown],
  ...[
    'filter filters[uuid] filter[] filter[uuid filter[uuid]x filter[UUID] Filter[uuid] filter.uuid filter[nope]',
    'filter[ndstockid] filter[identifiers][nope] filter[or][][uuid] filter[__proto__] filter[constructor]',
  ].flatMap((names) => names.split(' ').map((name) => [`${name}=1`, name, unknown])),
])('FLT-2 %s is 422 naming %s', async (query, field, message) => {
  const { get } = await aV2Read({ transactions });

  const { status, body } = await get(`/api/v2/transaction?${query}`);

  expect([status, body.errors]).toEqual([422, [{ field, message }]]);
});

test('FLT-2 ERR-1 the response names all faults at once, in the order of the request', async () => {
  const { get } = await aV2Read();

  const { status, headers, body } = await get(
    '/api/v2/transaction?filter[nope]=1&filter[status]=5&filter[uuid]=x&filter[identifiers]=y',
  );

  expect(status).toBe(422);
  expect(headers['Content-Type']).toBe('application/problem+json');
  expect(body).toEqual({
    type: 'https://api.example/docs/problems#invalid-parameters',
    title: 'Unprocessable Content',
    status: 422,
    detail: 'Some parameters are invalid; errors names each of them.',
    instance: '/api/v2/transaction',
    name: 'Unprocessable Content',
    message: 'Some parameters are invalid; errors names each of them.',
    code: 0,
    requestId: 'request-1',
    errors: [
      { field: 'filter[nope]', message: unknown },
      { field: 'filter[status]', message: notStatus },
      { field: 'filter[identifiers]', message: 'The filter must name ndstockid or salesmasterid.' },
    ],
  });
});

test.each([uuidOf(1), 'unknown'])(
  'FLT-4 ERR-3 a read of one transaction takes no filter: %s',
  async (uuid) => {
    const { get } = await aV2Read({ transactions });

    const { status, body } = await get(
      `/api/v2/transaction/${uuid}?filter[status]=1&filter=&expand=payments`,
    );

    expect(status).toBe(422);
    expect(body.errors).toEqual([
      { field: 'filter[status]', message: 'Only lists take a filter.' },
      { field: 'filter', message: 'Only lists take a filter.' },
    ]);
  },
);

const parameters = (count: number) => Array.from({ length: count }, (_, n) => `p${n}=1`).join('&');
test.each([
  ['100 parameters', parameters(100), 200],
  ['100 parameters and those that links add', `${parameters(100)}&page=2&per-page=5&after=x`, 200],
  ['101 parameters', parameters(101), 400],
  ['one link name 102 times', 'page=1&'.repeat(102), 400],
  ['one name 101 times', 'a=1&'.repeat(101), 400],
  ['four levels', 'a[b][c][d]=1', 200],
  ['five levels', 'a[b][c][d][e]=1', 400],
  ['prototype names', '__proto__[x]=1&constructor=2&toString[]=3&fields[__proto__]=uuid', 200],
])('QS-1 %s', async (_, query, expected) => {
  const { get } = await aV2Read();

  const { status } = await get(`/api/v2/transaction?${query}`);

  expect(status).toBe(expected);
});

test('QS-1 a body on GET is ignored', async () => {
  const { get } = await aV2Read({ transactions });

  const plain = await get('/api/v2/transaction');
  const withBody = await get('/api/v2/transaction', { body: '{"filter":{"status":1}' });

  expect(withBody).toEqual(plain);
});

const written = (name: string) =>
  `Write the name as ${name}, without white space, invisible characters, quotes and "amp;".`;
test.each([
  ['%20filter[status]=0', ' filter[status]', 'filter'],
  ['+filter%5Bstatus%5D=0', ' filter[status]', 'filter'],
  ['&amp;filter[status]=0', 'amp;filter[status]', 'filter'],
  ['&amp;amp;filter[status]=0', 'amp;amp;filter[status]', 'filter'],
  ['%26amp;Filter=0', '&amp;Filter', 'filter'],
  ['%09filter[status]=0', '\tfilter[status]', 'filter'],
  ['%0Afilter[status]=0', '\nfilter[status]', 'filter'],
  ['%C2%A0filter[status]=0', '\u00a0filter[status]', 'filter'],
  ['%A0filter[status]=0', '\ufffdfilter[status]', 'filter'],
  ['%EF%BB%BFfilter[status]=0', '\ufefffilter[status]', 'filter'],
  ['fil%E2%80%8Bter[status]=0', 'fil\u200bter[status]', 'filter'],
  ['%00filter=0', '\0filter', 'filter'],
  ['%22filter[status]%22=0', '"filter[status]"', 'filter'],
  ['%27filter%27[status]=0', "'filter'[status]", 'filter'],
  ['%E2%80%9Cfilter[status]%E2%80%9D=0', '“filter[status]”', 'filter'],
  ['%60page%60=2', '`page`', 'page'],
  ['per-page%20=50', 'per-page ', 'per-page'],
  ['per%C2%AD-page=50', 'per\u00ad-page', 'per-page'],
  ['%20after=x', ' after', 'after'],
  ['&amp;fields=uuid', 'amp;fields', 'fields'],
  ['%20fields[]=uuid', ' fields[]', 'fields'],
  ['fields[]%20=uuid', 'fields[] ', 'fields'],
  ['fields%20[]=uuid', 'fields []', 'fields'],
  ['expand%0D=payments', 'expand\r', 'expand'],
])('FLT-2 TH-04 QS-1 %s is 422 naming %j', async (query, field, name) => {
  const { get } = await aV2Read({ transactions });

  const { status, body } = await get(`/api/v2/transaction?${query}`);

  expect([status, body.errors]).toEqual([422, [{ field, message: written(name) }]]);
});

test('FLT-2 TH-04 ERR-1 a disguised name is named beside faulty filters, and in a read of one transaction', async () => {
  const { get } = await aV2Read({ transactions });

  const list = await get('/api/v2/transaction?filter[nope]=1&%20page=2');
  const one = await get(`/api/v2/transaction/${uuidOf(1)}?amp;expand=payments&filter=`);

  const fieldsOf = ({ body }: typeof list) => body.errors.map(({ field }: { field: string }) => field);
  expect([list.status, fieldsOf(list)]).toEqual([422, ['filter[nope]', ' page']]);
  expect([one.status, fieldsOf(one)]).toEqual([422, ['filter', 'amp;expand']]);
});
