import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { byHandLines } from '../../../../../bin/operator/output/restore.ts';

test('DR-7 a shell passes every word of a printed command as it is, and runs nothing else', () => {
  const odd = ["O'Brien & Söhne", '$(id)', '`id`', 'a\nb', '', '*', '=ls', '~', '!!', '\\', '"', '#'];
  const words = ['partner', ...odd, '{"a":"$(id)"}'];
  const [comment, line] = byHandLines([{ about: 'when', command: words }], { outputs: 'my outputs.json' });

  const passed = execFileSync('sh', ['-c', `npm() { printf '%s\\0' "$@"; }\n${comment}\n${line}`]).toString();

  expect(passed.split('\0')).toEqual([
    ...['run', 'operator', '--', '--outputs', 'my outputs.json'],
    ...words,
    '',
  ]);
});
