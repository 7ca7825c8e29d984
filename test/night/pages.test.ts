import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { sharedBrowser } from '../support/browser/browser.ts';
import { closeWindows, complaintsOf, docsPages, openWindows } from '../support/browser/docs-page.ts';
import { builtSite, siteIn } from '../support/docs/built-site.ts';
import { root } from '../support/repository.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';

let stage: ServiceStage;
let browser: Browser;
beforeAll(async () => {
  [stage, browser] = await Promise.all([openStage({ documents: true }), sharedBrowser()]);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await stage?.close();
});
endEngineAfterFile();

test('DOC-7 every page passes the checks on a desktop and on a phone', async () => {
  const windows = await openWindows(browser, stage.baseUrl);
  const found: string[] = [];
  for (const path of docsPages())
    await Promise.all(
      Object.entries(windows).map(async ([name, window]) => {
        const complaints = await complaintsOf(`${stage.baseUrl}${path}`, window);
        found.push(...complaints.map((complaint) => `${path} on a ${name}: ${complaint}`));
      }),
    );

  await closeWindows(windows);
  expect(found).toEqual([]);
}, 600_000);

test('DOC-2 the same sources give the same bytes; of two parallel builds one waits for the other, and files beside them stay', async () => {
  const work = mkdtempSync(join(root, '.local/docs-again-'));
  const folder = join(work, 'site');
  const beside = ['1', '2', '3', '4', '5', '6', '7', 'site.lock'];
  for (const name of beside) writeFileSync(join(work, name), 'of somebody else');
  const said = await Promise.all(
    [1, 2].map(() => promisify(execFile)(process.execPath, ['bin/docs.ts', folder], { cwd: root })),
  );
  const again = siteIn(folder);
  const left = readdirSync(work);
  rmSync(work, { recursive: true });

  expect(said.map(({ stdout }) => stdout.startsWith('Building')).toSorted()).toEqual([false, true]);
  expect(left.sort()).toEqual([...beside.slice(0, 7), 'site', 'site.lock']);
  expect([...again].filter(([path, text]) => builtSite().get(path) !== text).map(([path]) => path)).toEqual(
    [],
  );
  expect([...again.keys()]).toEqual([...builtSite().keys()]);
}, 120_000);
