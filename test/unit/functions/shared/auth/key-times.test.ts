import { expect, test } from '@jest/globals';
import { rotationTimes } from '../../../../../functions/shared/auth/key-times.ts';

const minute = 60_000;

test('M-08 M-09 a key is published ten minutes before it signs, and verifies two minutes longer than its last token lives', () => {
  expect(rotationTimes).toEqual({
    access: { publishedMs: 10 * minute, verifiesForMs: 62 * minute },
    session: { publishedMs: 10 * minute, verifiesForMs: (30 * 24 * 60 + 2) * minute },
    pepper: { publishedMs: 10 * minute },
  });
});
