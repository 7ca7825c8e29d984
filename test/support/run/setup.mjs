import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A run of tests has one folder: for the temporary files of its processes, and for what they make once for all. */
export default () => {
  const folder = mkdtempSync(join(tmpdir(), 'transactions-tests-'));
  const [temporary, shared] = ['temporary', 'shared'].map((name) => join(folder, name));
  for (const part of [temporary, shared]) mkdirSync(part);
  globalThis.testRun = { folder, temporary, formerTemporary: process.env.TMPDIR };
  process.env.TMPDIR = temporary;
  process.env.TEST_RUN_FOLDER = shared;
};
