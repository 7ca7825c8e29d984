import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Every process of a run of tests has its temporary files in one folder, which is seen to be empty at the end. */
export const openTemporaryFolder = () => {
  const former = process.env.TMPDIR;
  const folder = mkdtempSync(join(tmpdir(), 'transactions-tests-'));
  process.env.TMPDIR = folder;
  return () => {
    if (former === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = former;
    const left = readdirSync(folder);
    rmSync(folder, { recursive: true, force: true });
    return left;
  };
};
