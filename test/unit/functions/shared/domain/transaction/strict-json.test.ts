import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseStrictJson } from '../../../../../../functions/shared/domain/transaction/strict-json.ts';
import { propertyRun } from '../../../../../support/builders/property-run.ts';

/** What is read of a number in its written form. */
const readingOf = (number: string) => {
  const parsed = parseStrictJson(Buffer.from(`{"a":${number}}`));
  return parsed.ok ? parsed.value.a : parsed.reason;
};

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

test('WR-4 the shortest text of every double and its 17 significant digits are taken, and give the double', () => {
  fc.assert(
    fc.property(finite, (double) => {
      // -0 is written without its sign.
      expect(readingOf(JSON.stringify(double))).toBe(double + 0);
      expect(readingOf(double.toPrecision(17))).toBe(double + 0);
    }),
    propertyRun('texts of doubles', 5_000, 500_000),
  );
});

/** The shortest text with zeros up to 17 digits: `9.9000000000000000e+0`. */
const paddedShortest = (double: number) =>
  double
    .toExponential()
    .replace(
      /(\d)\.?(\d*)e/,
      (_, whole: string, fraction: string) => `${whole}.${fraction.padEnd(16, '0')}e`,
    );

test('WR-4 of 17 digits, another last one that is read as the same double is refused', () => {
  let refused = 0;
  fc.assert(
    fc.property(finite, fc.integer({ min: 1, max: 9 }), (double, by) => {
      const changed = double
        .toExponential(16)
        .replace(/(\d)e/, (_, last: string) => `${(Number(last) + by) % 10}e`);
      fc.pre(Number(changed) === double && changed !== paddedShortest(double));

      refused += 1;
      expect(readingOf(changed)).toBe('inexact-number');
    }),
    propertyRun('17 digits that doubles do not keep', 1_000, 100_000),
  );
  expect(refused).toBeGreaterThanOrEqual(1_000);
});

test.each([
  ['9.9', 9.9],
  ['9.9000000000000004', 9.9],
  ['9.9000000000000003', 'inexact-number'],
  ['9.9000000000000005', 'inexact-number'],
  ['9.90000000000000036', 'inexact-number'],
  ['9.90000000000000040', 9.9],
  ['99000000000000004e-16', 9.9],
  ['-0.10000000000000001', -0.1],
  ['0.1000000000000000055', 'inexact-number'],
  ['2.2250738585072014e-308', 2.2250738585072014e-308],
  ['4.9406564584124654e-324', 5e-324],
  ['4e-324', 'inexact-number'],
])('WR-4 %s is read as %p', (number, expected) => {
  expect(readingOf(number)).toBe(expected);
});
