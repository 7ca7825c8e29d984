import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { exampleAddresses } from '../../functions/serve-docs/document.ts';
import { makeSite } from '../../localstack/embedded/documents.ts';
import { sharedBrowser } from '../support/browser/browser.ts';
import { closeWindows, coloursOf, openWindows, type Windows } from '../support/browser/docs-page.ts';
import { instanceOf } from '../support/stage/instance-of.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';

const operation = '/docs/reference/operations/create-payment';

const folder = mkdtempSync(join(tmpdir(), 'documents-'));
let stage: ServiceStage;
let browser: Browser;
let windows: Windows;
beforeAll(async () => {
  [stage, browser] = await Promise.all([openStage({ documents: true }), sharedBrowser()]);
  windows = await openWindows(browser, stage.baseUrl);
}, 240_000);
afterAll(async () => {
  await closeWindows(windows);
  await browser.close();
  rmSync(folder, { recursive: true });
  await stage.close();
});
endEngineAfterFile();

test('DOC-7 on a phone a reader gets by the menu from the first page to an operation', async () => {
  const { page, visit } = windows.phone;
  await visit(`${stage.baseUrl}/docs`);

  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'List transactions' }).first().click();
  await page.waitForURL('**/list-transactions');

  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('List transactions');
});

test('DOC-13 a sample is chosen by language, also for the next page; each sample names the stage and can be copied', async () => {
  const { page, visit } = windows.desktop;
  const shown = () => page.locator('.sl-openapi-snippet:visible');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await visit(`${stage.baseUrl}${operation}`);
  await page.getByLabel('Select code sample').selectOption('Python');
  await visit(`${stage.baseUrl}/docs/reference/operations/get-webhook`);

  expect(await shown().textContent()).toContain(`"${stage.baseUrl}/api/v2/webhook`);
  await shown().hover();
  await shown().getByRole('button').click();
  const copied: string = await page.evaluate('navigator.clipboard.readText()');
  expect(copied.split('\n')[0]).toBe('import requests');
});

test('DOC-13 the responses of an operation are beside its request', async () => {
  const { page, visit } = windows.desktop;
  await visit(`${stage.baseUrl}${operation}`);
  const [request, answers] = await Promise.all(
    ['#authorizations', '#responses'].map((place) => page.locator(place).boundingBox()),
  );

  expect(answers?.x).toBeGreaterThan(request?.x ?? Number.POSITIVE_INFINITY);
  expect(Math.abs((answers?.y ?? 0) - (request?.y ?? 0))).toBeLessThan(10);
});

test('DOC-3 code has colours by classes', async () => {
  const { page, visit } = windows.desktop;
  await visit(`${stage.baseUrl}${operation}`);

  const colours: [string, string][] = await page.evaluate(coloursOf);

  expect(colours.filter(([token, block]) => token !== block).length).toBeGreaterThan(10);
});

test('DOC-12 a reader finds an operation and a guide by keyboard, with the words around the match', async () => {
  const { page, visit } = windows.desktop;
  const find = async (words: string) => {
    await visit(`${stage.baseUrl}/docs`);
    await page.keyboard.press('Control+k');
    await page.keyboard.type(words);
    await page.locator('dialog mark').first().waitFor();
    return page.locator('dialog li').evaluateAll((items) => items.map((item) => item.textContent));
  };

  expect(await find('replay event')).toContainEqual(
    expect.stringMatching(/^Replay events.*Sends again what was sent/),
  );
  const first = await page.locator('dialog li a').first().getAttribute('href');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${first}`);
  expect(await find('idempotency')).toContainEqual(
    expect.stringMatching(/^Errors › Idempotency key reused.*Idempotency-Key/),
  );
  expect(windows.desktop.complaints).toEqual([]);
});

/** What the documents' function answers with the site that is made for a build, which may not exist. */
const served = async (built: string) => {
  const data = mkdtempSync(join(folder, 'data-'));
  makeSite(join(data, 'site'), built);
  const variables = { LAMBDA_TASK_ROOT: data, AUTH_URL: 'https://auth.example' };
  const ask = await instanceOf(stage, 'serve-docs', variables);
  return async (path: string, Accept = 'text/html') => {
    const { status, text } = await ask(path, { headers: { Accept } });
    return { status, body: text };
  };
};

test('DOC-14 without a built site, guides as Markdown and the description are served, and a page names the command', async () => {
  const ask = await served(join(folder, 'nothing'));

  const [page, guide, description] = await Promise.all(
    ['/docs', '/docs/paging.md', '/openapi.json'].map((path) => ask(path)),
  );

  expect(page).toMatchObject({ status: 200, body: expect.stringContaining('<code>npm run docs</code>') });
  expect(page?.body).toContain('<a href="/docs/paging.md">');
  expect(guide).toMatchObject({ status: 200, body: expect.stringMatching(/^# /) });
  expect(JSON.parse(description?.body ?? '')).toMatchObject({ servers: [{ url: stage.baseUrl }] });
  expect(await ask('/docs/paging')).toEqual({ ...page, status: 404 });
});

test('DOC-14 DOC-1 ERR-1 a built site is served as it is, but for the addresses of the stage', async () => {
  const built = join(folder, 'built');
  mkdirSync(join(built, 'docs/reference'), { recursive: true });
  writeFileSync(join(built, 'docs/paging.html'), '<h1>Paging</h1>');
  writeFileSync(join(built, 'docs/reference/operations.json'), JSON.stringify(exampleAddresses));

  const ask = await served(built);
  const none = JSON.parse((await ask('/docs/none', 'application/json')).body);

  expect(await ask('/docs/paging')).toEqual({ status: 200, body: '<h1>Paging</h1>' });
  expect(JSON.parse((await ask('/docs/reference/operations.json')).body)).toEqual({
    ...{ baseUrl: stage.baseUrl, authUrl: 'https://auth.example' },
  });
  expect(none.type).toBe(`${stage.baseUrl}/docs/problems#not-found`);
});
