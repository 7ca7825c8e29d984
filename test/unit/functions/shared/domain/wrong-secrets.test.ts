import { expect, test } from '@jest/globals';
import { refusedUntilMs } from '../../../../../functions/shared/domain/wrong-secrets.ts';

const nowMs = Date.UTC(2026, 10, 24, 12);

test('O-55 the client is refused until a minute after its 21st wrong secret from the end, in whatever order they are stored', () => {
  const newest = Array.from({ length: 20 }, (_, index) => nowMs - index);

  expect(refusedUntilMs([...newest, nowMs - 30_000], nowMs)).toBe(nowMs + 30_000);
  expect(refusedUntilMs([...newest, nowMs - 60_000], nowMs)).toBeUndefined();
});
