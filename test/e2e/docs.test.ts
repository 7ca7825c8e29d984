import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import {
  isTooWide,
  keepOneOfEachShape,
  looks,
  openPage,
  seriousFindings,
  sharedBrowser,
  type WatchedPage,
} from '../support/browser/browser.ts';
import { describedFetch } from '../support/openapi/described-fetch.ts';
import { type OpenStage, sharedStage } from '../support/stage/shared-stage.ts';

/** The kinds of page: cards, a text with a table, and the reference. Each is judged in all looks, the others in two. */
const kinds = ['/docs', '/docs/problems', '/docs/reference'];
const pages = [
  ...['/docs', '/docs/start', '/docs/reference', '/docs/paging', '/docs/filters', '/docs/expand-and-fields'],
  ...['/docs/problems', '/docs/webhooks', '/docs/limits', '/docs/versioning', '/docs/changes'],
];

let stage: OpenStage;
let browser: Browser;
let windows: Record<'desktop' | 'phone', WatchedPage>;
beforeAll(async () => {
  [stage, browser] = await Promise.all([sharedStage(), sharedBrowser()]);
  const [desktop, phone] = await Promise.all(
    [looks[0], looks[2]].map((look) => openPage(browser, `${stage.baseUrl}/docs`, look)),
  );
  if (!desktop || !phone) throw new Error('There is no window');
  windows = { desktop, phone };
}, 240_000);
afterAll(async () => {
  await Promise.all(Object.values(windows).map(({ close }) => close()));
  await browser.close();
});

type Scheme = 'light' | 'dark';

/** Everything to complain of in a page that was opened in a window, and then had no network. */
const complaintsOf = async (
  path: string,
  { page, complaints, foreign, visit, cutNetwork }: WatchedPage,
  schemes: readonly Scheme[],
) => {
  await visit(`${stage.baseUrl}${path}`);
  await cutNetwork();
  const wide = (await isTooWide(page)) ? ['is too wide'] : [];
  await keepOneOfEachShape(page);
  const found: string[] = [];
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await seriousFindings(page)).map((finding) => `${colorScheme}: ${finding}`));
  }
  return [...found, ...wide, ...complaints, ...foreign.map((address) => `asked for ${address}`)];
};

test.each(pages)(
  'DOC-7 %s has nothing to complain of on a desktop and on a phone, light and dark, without a network',
  async (path) => {
    const { desktop, phone } = windows;
    const isKind = kinds.includes(path);
    const found = await Promise.all([
      complaintsOf(path, desktop, isKind ? ['light', 'dark'] : ['light']),
      complaintsOf(path, phone, isKind ? ['light', 'dark'] : ['dark']),
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

test('DOC-6 what tools look for is there: description, catalogue, metadata of the resource', async () => {
  const paths = ['/openapi.json', '/.well-known/api-catalog', '/.well-known/oauth-protected-resource/api/v2'];
  const answers = await Promise.all(paths.map((path) => describedFetch(`${stage.baseUrl}${path}`)));

  expect(answers.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual([
    [200, 'application/json; charset=UTF-8'],
    [200, 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'],
    [200, 'application/json; charset=UTF-8'],
  ]);
});
