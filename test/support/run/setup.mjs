import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A run of tests has one folder: for the temporary files of its processes, and for what they make once for all. */
export default () => {
  const folder = mkdtempSync(join(tmpdir(), 'transactions-tests-'));
  const [temporary, shared] = ['temporary', 'shared'].map((name) => join(folder, name));
  for (const part of [temporary, shared]) mkdirSync(part);
  globalThis.testRun = { folder, temporary, formerTemporary: process.env.TMPDIR };
  process.env.TMPDIR = temporary;
  process.env.TEST_RUN_FOLDER = shared;
  // The operator's tool and the stage start a hundred times in a run: with what Node compiled before, in half the time.
  process.env.NODE_COMPILE_CACHE ??= resolve(import.meta.dirname, '../../../.local/compile-cache');
};
