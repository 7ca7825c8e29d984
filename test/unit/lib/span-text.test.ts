import { expect, test } from '@jest/globals';
import { spanText } from '../../../lib/span-text.ts';

test.each([
  [1, '1 second'],
  [5, '5 seconds'],
  [60, 'one minute'],
  [90, '90 seconds'],
  [120, 'two minutes'],
  [900, '15 minutes'],
])('%d s are said as %s', (seconds, text) => {
  expect(spanText(seconds)).toBe(text);
});
