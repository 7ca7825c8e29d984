import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { root } from '../../support/repository.ts';

test('OA-1 the kept document and the kit’s wire types are what the code makes: "npm run openapi" writes them', () => {
  const { status, stderr } = spawnSync(process.execPath, ['bin/openapi.ts', '--check'], {
    cwd: root,
    encoding: 'utf8',
  });

  expect(stderr).toBe('');
  expect(status).toBe(0);
});
