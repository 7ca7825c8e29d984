import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exampleAddresses } from '../../../functions/serve-docs/document.ts';
import { bundleInto } from '../../../lib/constructs/bundle.ts';
import { askingOf, useFunctions } from '../../support/functions/use-functions.ts';

const { baseUrl, authUrl } = exampleAddresses;
const documents = { 'openapi.json': { baseUrl, authUrl }, 'docs/reference/operations.json': { baseUrl } };

const functions = useFunctions();
/** The index reads the site beside itself, where the bundler puts it. */
const folder = mkdtempSync(join(tmpdir(), 'serve-docs-'));
let asking: ReturnType<typeof askingOf>;

beforeAll(async () => {
  bundleInto(folder, 'serve-docs');
  mkdirSync(join(folder, 'site/docs/reference'), { recursive: true });
  for (const [file, document] of Object.entries(documents))
    writeFileSync(join(folder, 'site', file), JSON.stringify(document));
  const { default: bundle } = await import(join(folder, 'index.cjs'));
  asking = askingOf(bundle.handler);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('DOC-1 a document has the addresses of the stage, and the log has the duration', async () => {
  const answering = asking('/openapi.json');
  functions.pass(1);

  expect((await answering).body).toEqual({ baseUrl: 'https://api.example', authUrl: 'https://auth.example' });
  expect(functions.logged('HTTP_ANSWERED')).toMatchObject([
    { service: 'serve-docs', status: 200, durationMs: 1_000 },
  ]);
});

test('DOC-1 a document in a folder of the site is read on request', async () => {
  expect((await asking('/docs/reference/operations.json')).body).toEqual({ baseUrl: 'https://api.example' });
});

test('ERR-1 a problem type links to the stage’s own document', async () => {
  const { status, body } = await asking('/docs/none');

  expect([status, body.type]).toEqual([404, 'https://api.example/docs/problems#not-found']);
});
