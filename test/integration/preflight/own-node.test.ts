import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { root } from '../../support/repository.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-node-'));
  writeFileSync(join(folder, 'package.json'), '{}');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The step of a deployment that stands before it gets rights, as GitHub runs it. */
const [, step = ''] =
  /- run: (test .*process\.execPath.*)/.exec(
    readFileSync(join(root, '.github/workflows/deploy.yml'), 'utf8'),
  ) ?? [];

const endOfStep = () => {
  const { status, stderr } = spawnSync('bash', ['-e', '-c', step], { cwd: folder, encoding: 'utf8' });
  return { status, stderr: stderr.replaceAll(/^npm warn .*\n/gm, '') };
};

test('S-84 the pipeline continues if npm runs the Node of the PATH', () => {
  expect(endOfStep()).toEqual({ status: 0, stderr: '' });
});

test('S-84 it ends if a package puts another one before it', () => {
  const packaged = join(folder, 'node_modules/.bin/node');
  mkdirSync(join(packaged, '..'), { recursive: true });
  writeFileSync(packaged, `#!/bin/sh\necho ${packaged}\n`);
  chmodSync(packaged, 0o755);

  expect(endOfStep()).toEqual({ status: 1, stderr: '' });
});
