import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { oas31 } from 'zod-openapi';
import { sharedBrowser } from '../support/browser/browser.ts';
import {
  closeWindows,
  complaintsOf,
  docsPages,
  openWindows,
  type Windows,
} from '../support/browser/docs-page.ts';
import { describedFetch } from '../support/openapi/described-fetch.ts';
import { type OpenStage, sharedStage } from '../support/stage/shared-stage.ts';

/** The kinds of page: cards, a text with a table, and the reference. The suite of stages judges every page in all looks. */
const kinds = ['/docs', '/docs/problems', '/docs/reference'];

let stage: OpenStage;
let browser: Browser;
let windows: Windows;
beforeAll(async () => {
  [stage, browser] = await Promise.all([sharedStage(), sharedBrowser()]);
  windows = await openWindows(browser, stage.baseUrl);
}, 240_000);
afterAll(async () => {
  await closeWindows(windows);
  await browser.close();
});

test.each(docsPages)(
  'DOC-7 %s has nothing to complain of on a desktop and on a phone, without a network',
  async (path) => {
    const address = `${stage.baseUrl}${path}`;
    const found = await Promise.all([
      complaintsOf(address, windows.desktop, ['light']),
      complaintsOf(address, windows.phone, kinds.includes(path) ? ['dark'] : []),
    ]);

    expect(found).toEqual([[], []]);
  },
  120_000,
);

test('DOC-7 a reader goes from the first page to a paragraph of the reference, without a script', async () => {
  const { page, visit } = windows.phone;
  await visit(`${stage.baseUrl}/docs`);

  await page.click('main >> text=Reference');
  await page.click('text=Menu');
  await page.click('nav >> text=List transactions');

  expect(page.url()).toBe(`${stage.baseUrl}/docs/reference#get-api-v2-transaction`);
  expect(await page.locator('#get-api-v2-transaction').isVisible()).toBe(true);
});

test('DOC-1 DOC-9 openapi.json, llms.txt and the collection name the addresses of the stage, and no others', async () => {
  for (const path of [
    '/openapi.json',
    '/llms.txt',
    '/.well-known/api-catalog',
    '/docs/start.md',
    '/docs/collection.json',
  ]) {
    const text = await (await describedFetch(`${stage.baseUrl}${path}`)).text();

    expect(text).toContain(stage.baseUrl);
    expect(text).not.toContain('transactions.example');
  }
});

test('OA-7 the servers of openapi.json are the two services of the stage', async () => {
  const answer = await describedFetch(`${stage.baseUrl}/openapi.json`);
  const { servers, paths } = (await answer.json()) as oas31.OpenAPIObject;

  expect([servers, paths?.['/oauth2/token']?.servers].map((some) => some?.map(({ url }) => url))).toEqual([
    [stage.baseUrl],
    [stage.authUrl],
  ]);
  expect(JSON.stringify([servers, paths?.['/oauth2/token']?.servers])).not.toContain('production');
});

test('DOC-6 what tools look for is there: description, catalogue, metadata of the resource', async () => {
  const paths = ['/openapi.json', '/.well-known/api-catalog', '/.well-known/oauth-protected-resource/api/v2'];
  const answers = await Promise.all(paths.map((path) => describedFetch(`${stage.baseUrl}${path}`)));

  expect(answers.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual([
    [200, 'application/json; charset=UTF-8'],
    [200, 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'],
    [200, 'application/json; charset=UTF-8'],
  ]);
});
