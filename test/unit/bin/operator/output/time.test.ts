import { expect, test } from '@jest/globals';
import { clockText, durationText, readTime } from '../../../../../bin/operator/output/time.ts';
import { UserError } from '../../../../../bin/operator/user-error.ts';

const now = new Date('2026-11-21T12:00:00Z');

test.each([
  ['90s', '2026-11-21T11:58:30.000Z'],
  ['30m', '2026-11-21T11:30:00.000Z'],
  ['2h', '2026-11-21T10:00:00.000Z'],
  ['3d', '2026-11-18T12:00:00.000Z'],
  ['2026-11-21', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21T11:59:59.250Z', '2026-11-21T11:59:59.250Z'],
  ['2026-11-21T12:00+02:00', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T11:59:59+00:00', '2026-11-21T11:59:59.000Z'],
  ['2026-11-21T11:59:59.250999+00:00', '2026-11-21T11:59:59.250Z'],
])('RUN-4 %s is %s', (text, expected) => {
  expect(new Date(readTime('--since', text, now)).toISOString()).toBe(expected);
});

test.each([
  ...[
    '',
    '2',
    'h',
    '-2h',
    '2w',
    '2 h',
    'now',
    '21.11.2026',
    '2026-11-21T12:00:00',
    '2026-11-21T12:00:00 00:00',
  ],
  ...['2026-13-01', '2026-02-30', '2026-02-30T12:00:00Z', '2026-11-21T24:30:00Z'],
])('RUN-4 "%s" is not a time', (text) => {
  expect(() => readTime('--since', text, now)).toThrow(UserError);
});

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_000, '1 s'],
  [12_340, '12.3 s'],
  [60_000, '1 min'],
  [185_400, '3 min 5 s'],
  [3_600_000, '1 h'],
  [93_780_000, '26 h 3 min'],
  [180_000_000, '2 d 2 h'],
])('%i ms is %s', (durationMs, expected) => {
  expect(durationText(durationMs)).toBe(expected);
});

test('a time on another day has its date', () => {
  expect(clockText(Date.parse('2026-11-21T00:00:01Z'), now.getTime())).toBe('00:00:01 UTC');
  expect(clockText(Date.parse('2026-11-20T23:59:59Z'), now.getTime())).toBe('2026-11-20 23:59:59 UTC');
});
