import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { exportTo } from '../../../functions/shared/operator/export-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'export-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function* broken() {
  yield 'first line\n';
  throw new Error('the store is gone');
}

test('RUN-4 an export that fails in the middle leaves the former file as it was', async () => {
  const file = join(folder, 'all.ndjson');
  writeFileSync(file, 'former\n');

  const exported = exportTo(file, broken(), { mayReplace: true });

  await expect(exported).rejects.toThrow('the store is gone');
  expect(readFileSync(file, 'utf8')).toBe('former\n');
});
