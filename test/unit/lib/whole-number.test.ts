import { expect, test } from '@jest/globals';
import { wholeNumber } from '../../../lib/whole-number.ts';

const ports = { least: 0, most: 65_535 };

test.each([
  ['0', 0],
  ['80', 80],
  ['65535', 65_535],
])('the text %j is a number', (text, value) => {
  expect(wholeNumber(text, ports)).toBe(value);
});

test.each([
  ...[
    '',
    ' ',
    'x',
    '1e3',
    '0x10',
    '0b1',
    ' 80',
    '80 ',
    '80\n',
    '+80',
    '-0',
    '-1',
    '080',
    '00',
    '8787.0',
    '1_000',
  ],
  ...['٨٠', 'NaN', 'Infinity', '65536', '9'.repeat(400)],
])('the text %j is none', (text) => {
  expect(wholeNumber(text, ports)).toBeUndefined();
});
