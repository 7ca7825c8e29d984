import { expect, test } from '@jest/globals';
import { filledIn, isAsPrinted, stepsOf } from '../../../guide/guide.ts';

test('DOC-8 every block of commands is a step, with the answer printed below it', () => {
  const guide = [
    ...[
      '# A',
      '```sh',
      'A=…',
      '```',
      'Then:',
      '```sh',
      'echo 1',
      'echo 2',
      '```',
      '',
      '```text',
      '1',
      '2',
      '```',
    ],
    ...['```js', 'no()', '```', '```sh local', 'operate', '```', '```json', '{ "a": 1 }', '```', ''],
  ].join('\n');

  expect(stepsOf(guide)).toEqual([
    { command: 'A=…\n', isOperators: false },
    { command: 'echo 1\necho 2\n', isOperators: false, answer: '1\n2' },
    { command: 'operate\n', isOperators: true, answer: '{ "a": 1 }' },
  ]);
});

test('DOC-8 a reader’s value takes the place of the dots behind its name, and of nothing else', () => {
  expect(filledIn('A=…\nB=…\necho …\n', { A: 'one' })).toBe("A='one'\nB=…\necho …\n");
});

test.each([
  ['{"a":"x","b":1}', '{"a":"…","b":1}', true],
  ['{"a":"x","b":1}\n', '{"a":…}', true],
  ['{"a":"x","b":2}', '{"a":"…","b":1}', false],
  ['{"a":"x"} and more', '{"a":"…"}', false],
  ['a+b', 'a+b', true],
  ['{"a":"x","b":[{"c":1}]}', '{\n  "a": "…",\n  "b": [{ "c": 1 }]\n}', true],
  ['{"a":"x","b":[{"c":2}]}', '{\n  "a": "…",\n  "b": [{ "c": 1 }]\n}', false],
  ['verified a b', 'verified a  b', false],
])('DOC-8 %j is as printed in %j: %j', (answer, printed, isSo) => {
  expect(isAsPrinted(answer, printed)).toBe(isSo);
});
