import { expect, test } from '@jest/globals';
import { askQueries, type Send } from '../../schemathesis/queries/ask.ts';
import { bracketed, queryOf } from '../../schemathesis/queries/parameters.ts';
import { aV2Partner } from '../../support/apis/v2-partner.ts';
import { aV2Read, many } from '../../support/apis/v2-read.ts';

const operationOf = (id: string) => {
  const found = bracketed.find((one) => one.id === id);
  if (!found) throw new Error(`${id} has no bracketed parameter`);
  return found;
};

const lists = {
  listTransactions: async () => aV2Read({ transactions: many(12) }),
  listEvents: async () => aV2Partner(),
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
