import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { offerBrowser } from './offered-browser.ts';
import { offerStage } from './offered-stage.ts';

/** A run of tests has one folder: for the temporary files of its processes, and for what they make once for all. */
export default async () => {
  const folder = mkdtempSync(join(tmpdir(), 'transactions-tests-'));
  const [temporary, shared] = ['temporary', 'shared'].map((name) => join(folder, name));
  for (const part of [temporary, shared]) mkdirSync(part);
  const [stage, browser] = await Promise.all([offerStage(), offerBrowser()]);
  globalThis.testRun = { folder, temporary, offers: [browser, stage], formerTemporary: process.env.TMPDIR };
  process.env.TMPDIR = temporary;
  process.env.TEST_RUN_FOLDER = shared;
  process.env.TEST_STAGE_URL = stage.url;
  process.env.TEST_BROWSER_URL = browser.url;
  // The operator's tool and the stage start a hundred times in a run: with what Node compiled before, in half the time.
  process.env.NODE_COMPILE_CACHE ??= resolve(import.meta.dirname, '../../../.local/compile-cache');
};
