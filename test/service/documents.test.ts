import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeSite } from '../../localstack/embedded/documents.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';

let stage: ServiceStage;
const folder = mkdtempSync(join(tmpdir(), 'documents-'));
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await stage.close();
});
endEngineAfterFile();

/** What the documents' function answers with the site that is made for a build, which may not exist. */
const served = async (built: string) => {
  const data = mkdtempSync(join(folder, 'data-'));
  makeSite(join(data, 'site'), built);
  const call = await stage.start('serve-docs', { LAMBDA_TASK_ROOT: data });
  return async (path: string) => {
    const answer = await call({ path, httpMethod: 'GET', multiValueHeaders: { Accept: ['text/html'] } });
    const { statusCode, body } = JSON.parse(answer.ok ? answer.value : '{}');
    return { statusCode, body: String(body) };
  };
};

test('DOC-14 without a built site, guides as Markdown and the description are served, and a page names the command', async () => {
  const ask = await served(join(folder, 'nothing'));

  const [page, guide, description] = await Promise.all(
    ['/docs', '/docs/paging.md', '/openapi.json'].map(ask),
  );

  expect(page).toMatchObject({ statusCode: 200, body: expect.stringContaining('<code>npm run docs</code>') });
  expect(page?.body).toContain('<a href="/docs/paging.md">');
  expect(guide).toMatchObject({ statusCode: 200, body: expect.stringMatching(/^# /) });
  expect(JSON.parse(description?.body ?? '')).toMatchObject({ servers: [{ url: stage.baseUrl }] });
  expect(await ask('/docs/paging')).toEqual({ ...page, statusCode: 404 });
});

test('DOC-14 a built site is served as it is', async () => {
  const built = join(folder, 'built');
  mkdirSync(join(built, 'docs'), { recursive: true });
  writeFileSync(join(built, 'docs/paging.html'), '<h1>Paging</h1>');

  const ask = await served(built);

  expect(await ask('/docs/paging')).toEqual({ statusCode: 200, body: '<h1>Paging</h1>' });
});
