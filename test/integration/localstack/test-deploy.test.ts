import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../../support/repository.ts';

test('D-20 without Java and Maven the test of the deployment, and so .ci/run, fails and says what to install', () => {
  const { status, stdout } = spawnSync(process.execPath, ['--no-warnings', 'test/deploy/run.ts'], {
    cwd: root,
    env: { PATH: join(root, 'nowhere'), NO_COLOR: '1' },
    encoding: 'utf8',
  });

  expect(stdout.replaceAll(/\(\d+\.\d s\)/g, '(some time)')).toBe(
    [
      '  FAILED  Java and Maven are there (some time)',
      '          Install java and mvn, or put it on the PATH.',
      '0 passed, 1 failed',
      '',
    ].join('\n'),
  );
  expect(status).toBe(1);
});
