import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../../support/repository.ts';

/** Runs the command itself; nothing of it reaches a stage. */
const smoke = (...words: string[]) =>
  new Promise<{ code: unknown; said: string }>((resolve) => {
    const options = { cwd: root, env: { ...process.env, NODE_OPTIONS: '' } };
    execFile(
      process.execPath,
      ['--no-warnings', 'bin/smoke.ts', ...words],
      options,
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, said: stdout + stderr }),
    );
  });

test('D-40 what cannot be looked at ends with 2, and says why', async () => {
  const file = join(root, 'no-such-outputs.json');

  expect(await smoke('--outputs', file)).toEqual({
    code: 2,
    said: `${file} does not exist: name the file that "cdk deploy -O" wrote with --outputs.\n`,
  });
});

test('D-40 a burst is a number', async () => {
  const { code, said } = await smoke('--burst', 'many');

  expect([code, said.trim()]).toEqual([
    2,
    "error: option '--burst <number>' argument 'many' is invalid. It is a whole number from 1.",
  ]);
});

test('D-40 the help says what is made, and that it goes again', async () => {
  const { code, said } = await smoke('--help');

  expect(code).toBe(0);
  expect(said).toContain('transactions in the group "smoke", which no shop has, and deletes both again');
  expect(said).toContain('No other transaction is read or changed.');
});
