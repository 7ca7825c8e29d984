import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { isTooWide, looks, openPage, seriousFindings, sharedBrowser } from '../support/browser/browser.ts';
import { type OpenStage, sharedStage } from '../support/stage/shared-stage.ts';

const pages = [
  ...['/docs', '/docs/start', '/docs/reference', '/docs/paging', '/docs/filters', '/docs/expand-and-fields'],
  ...['/docs/problems', '/docs/webhooks', '/docs/limits', '/docs/versioning'],
];

let stage: OpenStage;
let browser: Browser;
beforeAll(async () => {
  [stage, browser] = await Promise.all([sharedStage(), sharedBrowser()]);
}, 240_000);
afterAll(() => browser.close());

/** Of four looks, these two have every width and every colour; the others would find the same again. */
const judged = new Set(['desktop, light', 'phone, dark']);

test.each(pages)(
  'DOC-7 %s has nothing to complain of on a desktop and on a phone, light and dark, without a network',
  async (path) => {
    for (const look of looks) {
      const { page, complaints, foreign, cutNetwork, close } = await openPage(
        browser,
        `${stage.baseUrl}${path}`,
        look,
      );
      await cutNetwork();

      if (judged.has(look.name)) expect([look.name, await seriousFindings(page)]).toEqual([look.name, []]);
      expect([look.name, await isTooWide(page), complaints, foreign]).toEqual([look.name, false, [], []]);
      await close();
    }
  },
  120_000,
);

test('DOC-7 a reader goes from the first page to a paragraph of the reference, without a script', async () => {
  const { page, close } = await openPage(browser, `${stage.baseUrl}/docs`, looks[2]);

  await page.click('main >> text=Reference');
  await page.click('text=Menu');
  await page.click('nav >> text=List transactions');

  expect(page.url()).toBe(`${stage.baseUrl}/docs/reference#get-api-v2-transaction`);
  expect(await page.locator('#get-api-v2-transaction').isVisible()).toBe(true);
  await close();
});

test('DOC-1 openapi.json and llms.txt name the addresses of the stage, and no others', async () => {
  for (const path of ['/openapi.json', '/llms.txt', '/.well-known/api-catalog', '/docs/start.md']) {
    const text = await (await fetch(`${stage.baseUrl}${path}`)).text();

    expect(text).toContain(stage.baseUrl);
    expect(text).not.toContain('transactions.example');
  }
});

test('DOC-6 what tools look for is there: description, catalogue, metadata of the resource', async () => {
  const paths = ['/openapi.json', '/.well-known/api-catalog', '/.well-known/oauth-protected-resource/api/v2'];
  const answers = await Promise.all(paths.map((path) => fetch(`${stage.baseUrl}${path}`)));

  expect(answers.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual([
    [200, 'application/json; charset=UTF-8'],
    [200, 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'],
    [200, 'application/json; charset=UTF-8'],
  ]);
});
