import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { looks, openPage, seriousFindings, sharedBrowser } from '../support/browser/browser.ts';
import { closeWindows, complaintsOf, docsPages, openWindows } from '../support/browser/docs-page.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';

let stage: TestStage;
let browser: Browser;
beforeAll(async () => {
  [stage, browser] = await Promise.all([startStage(), sharedBrowser()]);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await stage?.stop();
}, 30_000);

test('DOC-7 the whole reference, with all that looks alike, has nothing that axe finds serious', async () => {
  const { page, close } = await openPage(browser, `${stage.baseUrl}/docs/reference`, looks[0]);

  const found = await seriousFindings(page);

  await close();
  expect(found).toEqual([]);
}, 240_000);

test('DOC-7 every page has nothing to complain of on a desktop and on a phone, light and dark, without a network', async () => {
  const windows = await openWindows(browser, stage.baseUrl);
  const found: string[] = [];
  for (const path of docsPages)
    for (const [name, window] of Object.entries(windows)) {
      const complaints = await complaintsOf(`${stage.baseUrl}${path}`, window, ['light', 'dark']);
      found.push(...complaints.map((complaint) => `${path} on a ${name}: ${complaint}`));
    }

  await closeWindows(windows);
  expect(found).toEqual([]);
}, 240_000);
