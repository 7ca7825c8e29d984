import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { root } from '../../../support/repository.ts';

const check = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['test/steps/check.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, said: `${stdout}${stderr}`.split('\n')[0] };
};

test.each([[['nope', '--help']], [['nope']]])('%j: a step that there is not has no help', (args) => {
  expect(check(...args)).toEqual({
    status: 1,
    said: 'check has no step nope: choose among lint, typecheck, supply, openapi, templates, kit',
  });
});

test('the help of all steps is no refusal', () => {
  expect(check('--help')).toEqual({ status: 0, said: 'Usage: npm run check -- [options] [names...]' });
});
