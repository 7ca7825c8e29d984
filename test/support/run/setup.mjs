import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { startChromium } from '../browser/chromium.ts';
import { offer } from './offer.ts';

const offerBrowser = () => offer(startChromium, ({ address }) => ({ address }));

/** A thread beside the run's own process, so that the browser is still offered meanwhile. */
const offerSynthesis = async () => {
  const thread = new Worker(new URL('synthesis-thread.ts', import.meta.url));
  const [url] = await once(thread, 'message');
  return { url, withdraw: () => thread.terminate() };
};

/** A run of tests has one folder for the temporary files of its processes, and starts once what all of them use. */
export default async () => {
  const folder = mkdtempSync(join(tmpdir(), 'transactions-tests-'));
  const formerTemporary = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  const [browser, synthesis] = await Promise.all([offerBrowser(), offerSynthesis()]);
  globalThis.testRun = { folder, offers: [browser, synthesis], formerTemporary };
  // Stages of tests move the clock of their process. The SDK reads this once in a process, before its first request.
  process.env.AWS_DISABLE_CLOCK_SKEW_CORRECTION = 'true';
  process.env.TEST_BROWSER_URL = browser.url;
  process.env.TEST_SYNTHESIS_URL = synthesis.url;
  // The operator's tool and the stage start a hundred times in a run: with what Node compiled before, in half the time.
  process.env.NODE_COMPILE_CACHE ??= resolve(import.meta.dirname, '../../../.local/compile-cache');
};
