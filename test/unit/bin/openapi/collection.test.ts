import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { collectionOf } from '../../../../bin/openapi/collection.ts';
import { openApiDocument } from '../../../../bin/openapi/document.ts';
import { root } from '../../../support/repository.ts';

type Entry = {
  request: { method: string; url: { host: string[]; path: string[] }; auth: { type: string } };
};
const kept = JSON.parse(readFileSync(join(root, 'docs/collection.json'), 'utf8')) as {
  item: { item: Entry[] }[];
};
const requests = kept.item.flatMap(({ item }) => item.map(({ request }) => request));

test('OA-20 docs/collection.json is what the code makes: "npm run openapi" writes it', async () => {
  expect(kept).toEqual(JSON.parse(await collectionOf(openApiDocument())));
});

test('OA-20 the collection has each operation of the document once', () => {
  const methods = ['get', 'post', 'put', 'patch', 'delete'];
  const operations = Object.entries(openApiDocument().paths ?? {}).flatMap(([path, operationsOfPath]) =>
    Object.keys(operationsOfPath)
      .filter((method) => methods.includes(method))
      .map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );

  expect(requests.map(({ method, url }) => `${method} /${url.path.join('/')}`).sort()).toEqual(
    operations.sort(),
  );
});

test('OA-20 addresses and credentials are variables', () => {
  const secrets = JSON.stringify(requests.map(({ auth }) => auth)).match(/"value":"[^"]*"/g) ?? [];

  expect(new Set(requests.map(({ url }) => url.host.join()))).toEqual(
    new Set(['{{authUrl}}', '{{baseUrl}}']),
  );
  expect(new Set(secrets)).toEqual(
    new Set(
      ['clientId', 'clientSecret', 'accessToken', 'sessionToken'].map((name) => `"value":"{{${name}}}"`),
    ),
  );
});
