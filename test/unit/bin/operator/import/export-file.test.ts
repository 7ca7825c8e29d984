import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { exportTo } from '../../../../../bin/operator/import/export-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'export-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function* two() {
  yield 'one\n';
  yield 'two\n';
}

async function* broken() {
  yield 'first line\n';
  throw new Error('the store is gone');
}

test('RUN-4 an export that fails half-way leaves the former file unchanged', async () => {
  const file = join(folder, 'all.ndjson');
  writeFileSync(file, 'former\n');

  const exported = exportTo(file, broken(), { mayReplace: true });

  await expect(exported).rejects.toThrow('the store is gone');
  expect(readFileSync(file, 'utf8')).toBe('former\n');
  expect(existsSync(`${file}.partial`)).toBe(false);
});

test('RUN-4 only its owner can read an export, and it replaces a file only with --yes', async () => {
  const file = join(folder, 'own.ndjson');

  await exportTo(file, two(), { mayReplace: false });
  const again = exportTo(file, two(), { mayReplace: false });

  await expect(again).rejects.toThrow(
    `${file} exists already: name another file, or add --yes to replace it.`,
  );
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a partial file of another export is not written into', async () => {
  const file = join(folder, 'left.ndjson');
  writeFileSync(`${file}.partial`, 'left\n', { mode: 0o644 });

  const exported = exportTo(file, two(), { mayReplace: true });

  await expect(exported).rejects.toThrow(
    `${file}.partial exists: another export is running or was interrupted. When none is running, remove the file and export again.`,
  );
  expect(readFileSync(`${file}.partial`, 'utf8')).toBe('left\n');
  expect(existsSync(file)).toBe(false);
});
