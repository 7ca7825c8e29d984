import { expect, test } from '@jest/globals';
import { collectionOf } from '../../../../bin/openapi/collection/collection.ts';
import type { Description } from '../../../../bin/openapi/collection/description.ts';
import { openApiDocument } from '../../../../bin/openapi/document.ts';

const document = openApiDocument() as unknown as Description;
const collection = collectionOf(document);
const entries = collection.item.flatMap(({ item }) => item);

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  (Object.entries(item) as [string, { operationId?: string }][])
    .filter(([, { operationId }]) => operationId !== undefined)
    .map(([method]) => `${method.toUpperCase()} ${path}`),
);

/** Where a request goes, with the names of the document in the place of values. */
const placeOf = ({ request: { method, url } }: (typeof entries)[number]) => {
  const sent = `/${url.path.join('/')}`;
  const found = operations.filter((operation) => {
    const pattern = operation.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', String.raw`\.`);
    return new RegExp(`^${pattern}$`).test(`${method} ${sent}`);
  });
  return found.find((operation) => operation === `${method} ${sent}`) ?? found[0];
};

test('OA-20 the collection has each operation of the document, and nothing else', () => {
  expect([...new Set(entries.map(placeOf))].sort()).toEqual(operations.sort());
});

test('OA-20 each variable of a request is filled in by a person, or set by an earlier request', () => {
  const known = new Set(['baseUrl', 'authUrl', 'clientId', 'clientSecret', 'shopOrigin']);

  for (const { name, request, event } of entries) {
    const texts = JSON.stringify({ ...request, description: '' });
    // What a request is only sent with need not be there.
    const conditions = JSON.stringify(event.filter(({ listen }) => listen === 'prerequest'));
    const asked = [...conditions.matchAll(/\{\{(\w+)\}\}/g)].map(([, variable]) => variable);
    for (const [, variable = ''] of texts.matchAll(/\{\{(\w+)\}\}/g))
      if (!asked.includes(variable))
        expect({ name, known: [...known] }).toMatchObject({ known: expect.arrayContaining([variable]) });
    for (const [, variable = ''] of JSON.stringify(event).matchAll(/Variables\.set\('(\w+)'/g))
      known.add(variable);
  }
});

test('OA-20 every variable is declared in the collection, and used', () => {
  const used = [...JSON.stringify(collection.item).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);

  expect([...new Set(used)].sort()).toEqual(collection.variable.map(({ key }) => key).sort());
});

test('OA-20 each request tests its first status in the document', () => {
  const statuses = new Map(
    entries.map(({ name, event }) => [name, /have\.status\((\d+)\)/.exec(JSON.stringify(event))?.[1]]),
  );

  expect(Object.fromEntries(statuses)).toMatchObject({
    'List transactions': '200',
    'Record a payment': '201',
    'Remove your webhook': '204',
  });
  expect([...statuses.values()]).not.toContain(undefined);
});

test('OA-20 the token comes first, and requests that cannot be undone need a switch', () => {
  const guarded = entries.filter(({ event }) => JSON.stringify(event).includes('{{irreversible}}'));

  expect(entries[0]?.name).toBe('Get an access token');
  expect(guarded.map(({ name }) => name)).toEqual([
    'Complete a transaction by a payment',
    'Create the next signature of your webhook',
    'Switch to the next signature',
    'Remove your webhook',
    'Rotate your client secret',
    'Get an access token by the new secret',
    'Revoke a token',
  ]);
});

test('OA-20 addresses are those of the document, and credentials are variables', () => {
  const secrets = JSON.stringify(entries.map(({ request }) => request.auth)).match(/"value":"[^"]*"/g) ?? [];

  expect(collection.variable.slice(0, 3)).toEqual([
    { key: 'baseUrl', value: 'https://api.transactions.example' },
    { key: 'authUrl', value: 'https://auth.transactions.example' },
    { key: 'clientId', value: '' },
  ]);
  expect(new Set(secrets)).toEqual(
    new Set(
      ['clientId', 'clientSecret', 'accessToken', 'sessionToken'].map((name) => `"value":"{{${name}}}"`),
    ),
  );
});

test('OA-20 unused parameters are present with their examples, switched off', () => {
  const list = entries.find(({ name }) => name === 'List transactions')?.request.url;

  expect(list?.raw).toBe('{{baseUrl}}/api/v2/transaction?filter[status]=0&per-page=2&fields=uuid,status');
  expect(list?.query).toContainEqual({ key: 'expand', value: 'vehicle,payments', disabled: true });
});

test('OA-20 an operation that the document lacks is named', () => {
  const lacking = { ...document, paths: { ...document.paths, '/api/v2/partner': {} } };

  expect(() => collectionOf(lacking)).toThrow('The document has no operation getPartner.');
});
