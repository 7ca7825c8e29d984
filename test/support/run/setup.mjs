import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { offerBrowser } from './offered-browser.ts';
import { offerStage } from './offered-stage.ts';
import { offerSynthesis } from './offered-synthesis.ts';

/** A run of tests has one folder: for the temporary files of its processes, and for what they make once for all. */
export default async () => {
  const folder = mkdtempSync(join(tmpdir(), 'transactions-tests-'));
  const [temporary, seen] = ['temporary', 'seen'].map((name) => join(folder, name));
  for (const part of [temporary, seen]) mkdirSync(part);
  const formerTemporary = process.env.TMPDIR;
  process.env.TMPDIR = temporary;
  const [stage, browser, synthesis] = await Promise.all([offerStage(), offerBrowser(), offerSynthesis()]);
  globalThis.testRun = { folder, temporary, seen, offers: [browser, stage, synthesis], formerTemporary };
  process.env.TEST_SEEN_FOLDER = seen;
  process.env.TEST_STAGE_URL = stage.url;
  process.env.TEST_BROWSER_URL = browser.url;
  process.env.TEST_SYNTHESIS_URL = synthesis.url;
  // The operator's tool and the stage start a hundred times in a run: with what Node compiled before, in half the time.
  process.env.NODE_COMPILE_CACHE ??= resolve(import.meta.dirname, '../../../.local/compile-cache');
};
