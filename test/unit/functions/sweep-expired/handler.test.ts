import { expect, test } from '@jest/globals';
import { createHandler, type SweepDeps } from '../../../../functions/sweep-expired/handler.ts';

const now = new Date('2026-11-21T12:00:00Z');
const runMs = 5 * 60 * 1000;

/** An invocation over this many old transactions, where each step takes some seconds. */
const aRun = async ({ old = 0, secondsAStep = 1, retentionBeginsAtMs = runMs, ...more }: Run) => {
  const limits: number[] = [];
  const hadTime: boolean[] = [];
  const logged: unknown[] = [];
  let left = old;
  let remainingMs = runMs;
  const handler = createHandler({
    sweep: async ({ now: at, limit }) => {
      expect(at).toEqual(now);
      const checked = Math.min(limit, left);
      left -= checked;
      remainingMs -= secondsAStep * 1000;
      limits.push(limit);
      return { checked, removed: checked, upTo: 0, isDone: left === 0 };
    },
    retention: async (hasTime) => {
      remainingMs = Math.min(remainingMs, retentionBeginsAtMs);
      hadTime.push(hasTime());
      return { deleted: 2, erased: 1, isDone: true };
    },
    clock: () => now,
    log: (...line) => logged.push(line),
    ...more,
  });
  await handler({}, { getRemainingTimeInMillis: () => remainingMs });
  return { limits, logged, hadTime };
};
type Run = { old?: number; secondsAStep?: number; retentionBeginsAtMs?: number } & Partial<SweepDeps>;

test('V1-8 the hourly sweep goes on by steps of 100 until nothing is old enough, and says what it did', async () => {
  const { limits, logged } = await aRun({ old: 250 });

  expect(limits).toEqual([100, 100, 100]);
  const counts = { checked: 250, removed: 250, deleted: 2, erased: 1, isDone: true };
  expect(logged).toEqual([['sweepEnded', counts]]);
});

test('V1-8 it looks for untouched ones in half of its time, and the rest is for retention', async () => {
  const { limits, logged, hadTime } = await aRun({ old: 5_000, secondsAStep: 10 });

  expect(limits).toHaveLength(15);
  expect(hadTime).toEqual([true]);
  const counts = { checked: 1_500, removed: 1_500, deleted: 2, erased: 1, isDone: false };
  expect(logged).toEqual([['sweepEnded', counts]]);
});

test.each([
  [20_001, true],
  [20_000, false],
])('V1-8 retention with %d ms left begins a step: %p', async (retentionBeginsAtMs, expected) => {
  const { hadTime } = await aRun({ retentionBeginsAtMs });

  expect(hadTime).toEqual([expected]);
});

test('V1-8 it is not done while retention is not', async () => {
  const { logged } = await aRun({ retention: async () => ({ deleted: 9, erased: 0, isDone: false }) });

  const counts = { checked: 0, removed: 0, deleted: 9, erased: 0, isDone: false };
  expect(logged).toEqual([['sweepEnded', counts]]);
});

test('fails if a store fails, so that its errors are counted', async () => {
  const run = aRun({ sweep: () => Promise.reject(new Error('no store')) });

  await expect(run).rejects.toThrow('no store');
});
