import { describe, expect, test } from '@jest/globals';
import { askQueries, type Send } from '../../schemathesis/queries/ask.ts';
import { expectationOf } from '../../schemathesis/queries/expectation.ts';
import { bracketed, queryOf } from '../../schemathesis/queries/parameters.ts';
import { aV2Partner } from '../../support/apis/v2-partner.ts';
import { aV2Read, many } from '../../support/apis/v2-read.ts';
import { aNewTransaction } from '../../support/builders/transactions.ts';
import type { Exchange } from '../../support/openapi/exchange.ts';

const operationOf = (id: string) => {
  const found = bracketed.find((one) => one.id === id);
  if (!found) throw new Error(`${id} has no bracketed parameter`);
  return found;
};

const lists = {
  listTransactions: async () => aV2Read({ transactions: many(12) }),
  listEvents: async () => {
    const world = await aV2Partner({ transactions: [aNewTransaction()] });
    await world.notify({ eventId: 'event-1' });
    return world;
  },
};

/** Asks a list over stores in memory. */
const sendTo = async (id: keyof typeof lists): Promise<Send> => {
  const world = await lists[id]();
  return async ({ path, method }, query) => {
    const target = `${path}?${query}`;
    const { status, headers, text } = await world.get(target);
    const all = new Headers(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]));
    return { method, target, sent: { contentType: '', text: '' }, answer: { status, headers: all, text } };
  };
};

test('OA-6 the operations with bracketed parameters, and all that their queries know', () => {
  const known = Object.fromEntries(
    bracketed.map((operation) => [operation.id, queryOf(operation).map(({ name }) => name)]),
  );
  const filters = ['uuid', 'status', 'identifiers][ndstockid', 'identifiers][salesmasterid'].map(
    (name) => `filter[${name}]`,
  );
  const paging = ['page', 'per-page', 'after'];

  expect(known).toEqual({
    listTransactions: [...filters, 'expand', 'fields', ...paging],
    listEvents: [
      ...['filter[type]', 'filter[state]', 'filter[transaction]', 'filter[since]'],
      ...['per-page', 'after'],
    ],
    getOrCreateTransaction: ['uuid', ...filters, 'expand', 'fields', ...paging, 'location', 'franchise'],
  });
});

test.each(['listTransactions', 'listEvents'] as const)(
  'OA-6 FLT-2 S-33 any query of %s is answered as the document says',
  async (id) => {
    const counts = await askQueries(operationOf(id), await sendTo(id), 100);

    process.stdout.write(`expected of ${id}: ${JSON.stringify(counts)}\n`);
    expect(counts.answer).toBeGreaterThan(10);
    expect(counts.refusal).toBeGreaterThan(10);
  },
  60_000,
);

describe('OA-6 what is to come of a query', () => {
  const comes = (id: string, ...pairs: [string, string][]) => expectationOf(queryOf(operationOf(id)), pairs);

  test.each<[[string, string][]]>([
    [[]],
    [[['filter[status]', '1']]],
    [
      [
        ['page', 'x'],
        ['page', '-1'],
      ],
    ],
    [[['sort', 'uuid']]],
    [[['a[b][c][d]', '']]],
    [[['filter[uuid]', '\0']]],
  ])('an answer to %j', (pairs) => {
    expect(comes('listTransactions', ...pairs)).toEqual({ comes: 'answer' });
  });

  test.each<[string, [string, string][], string[]]>([
    ['a value that there is not', [['filter[status]', '2']], ['filter[status]']],
    ['nothing', [['filter[uuid]', '']], ['filter[uuid]']],
    ['the same again', Array(2).fill(['filter[status]', '1']), ['filter[status]']],
    ['another name', [['filter[nope]', '1']], ['filter[nope]']],
    ['a level more', [['filter[status][]', '1']], ['filter[status][]']],
    ['other letters', [['Filter[status]', '1']], ['Filter[status]']],
    [
      'all of it at once',
      [
        ['filter', 'a'],
        ['filter[status]', 'b'],
        ['page', 'c'],
        ['filter[uuid]', 'd'],
      ],
      ['filter', 'filter[status]'],
    ],
  ])('a refusal of %s', (_, pairs, naming) => {
    expect(comes('listTransactions', ...pairs)).toEqual({ comes: 'refusal', naming });
  });

  test('a refusal of a time that there is not, and of a cursor that no link gave', () => {
    expect(comes('listEvents', ['filter[since]', '2026-02-30T00:00:00Z'], ['after', 'x'])).toEqual({
      comes: 'refusal',
      naming: ['filter[since]', 'after'],
    });
  });

  test.each<[string, [string, string][]]>([
    ['five levels', [['a[b][c][d][e]', '']]],
    ['101 parameters', Array(101).fill(['a', ''])],
  ])('too much are %s', (_, pairs) => {
    expect(comes('listTransactions', ...pairs)).toEqual({ comes: 'too-much' });
  });
});

type Answer = Exchange['answer'];

/** What a service might do wrong; each is found by one check at least. */
const faults: [string, (answer: Answer) => Partial<Answer>, string][] = [
  ['a fault', () => ({ status: 500 }), 'a fault of the service, 500'],
  ['another status', () => ({ status: 418 }), 'the status is not described'],
  [
    'another content type',
    ({ headers }) => ({ headers: new Headers([...headers, ['content-type', 'text/html']].slice(-1) as []) }),
    'the content type "text/html" is not one of',
  ],
  [
    'a header more',
    ({ headers }) => ({ headers: new Headers([...headers, ['x-powered-by', 'x']]) }),
    'the header x-powered-by is not described',
  ],
  [
    'a header less',
    ({ headers }) => ({ headers: new Headers([...headers].filter(([name]) => name !== 'etag')) }),
    'the header etag is missing',
  ],
  [
    'a member more',
    ({ text }) => ({ text: text.replace('{', '{"nope":1,') }),
    'must NOT have additional properties',
  ],
  [
    'a member less',
    ({ text }) => ({ text: text.replace('"_meta"', '"meta"') }),
    "must have required property '_meta'",
  ],
];

describe('OA-6 found and thrown, with its query and its seed', () => {
  const asked = async (spoil: (answer: Answer) => Partial<Answer>) => {
    const send = await sendTo('listTransactions');
    const spoiled: Send = async (operation, query) => {
      const exchange = await send(operation, query);
      return { ...exchange, answer: { ...exchange.answer, ...spoil(exchange.answer) } };
    };
    return askQueries(operationOf('listTransactions'), spoiled, 600).then(
      () => 'nothing',
      (error: Error) => `${error.message} ${String(error.cause)}`,
    );
  };

  test.each(faults)('%s', async (_, spoil, finding) => {
    const found = await asked(spoil);

    expect(found).toContain(finding);
    expect(found).toMatch(/seed: \d+/);
  });

  test.each<[string, (answer: Answer) => Partial<Answer>, RegExp]>([
    [
      'what is sound is refused',
      ({ status }) => ({ status: status === 200 ? 422 : status }),
      /sound, and answered 422/,
    ],
    [
      'what is at fault is taken',
      ({ status }) => ({ status: status === 422 ? 200 : status }),
      /at fault are filter.*, and the answer is 200/,
    ],
    [
      'a fault is not named',
      ({ text }) => ({ text: text.replace(/"field":"filter/, '"field":"') }),
      /at fault are \["filter.*, and named \["/,
    ],
    [
      'too much is taken',
      ({ status }) => ({ status: status === 400 ? 200 : status }),
      /too much is asked, and answered 200/,
    ],
  ])('%s', async (_, spoil, finding) => {
    expect(await asked(spoil)).toMatch(finding);
  });
});
