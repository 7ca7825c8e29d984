import { describe, expect, test } from '@jest/globals';
import { createHandler } from '../../../../functions/sweep-expired/handler.ts';

const now = new Date('2026-11-21T12:00:00Z');
const runMs = 5 * 60 * 1000;

/** An invocation over this many old transactions, where each step takes some seconds. */
const aRun = async ({
  old,
  secondsAStep = 1,
  retentionBeginsAtMs,
}: {
  old: number;
  secondsAStep?: number;
  retentionBeginsAtMs?: number;
}) => {
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
      remainingMs = retentionBeginsAtMs ?? remainingMs;
      hadTime.push(hasTime());
      return { deleted: 2, erased: 1, isDone: true };
    },
    clock: () => now,
    log: (...line) => logged.push(line),
  });
  await handler({}, { getRemainingTimeInMillis: () => remainingMs });
  return { limits, logged, left, hadTime };
};

describe('the hourly sweep', () => {
  test('V1-8 continues in steps of 100 until no transaction is old enough, and logs the result', async () => {
    const { limits, logged } = await aRun({ old: 250 });

    expect(limits).toEqual([100, 100, 100]);
    expect(logged).toEqual([
      ['sweepEnded', { checked: 250, removed: 250, deleted: 2, erased: 1, isDone: true }],
    ]);
  });

  test('V1-8 searches for untouched checkouts in half of its time, and uses the rest for retention', async () => {
    const { limits, logged, left, hadTime } = await aRun({ old: 5_000, secondsAStep: 10 });

    expect(limits).toHaveLength(15);
    expect(left).toBe(3_500);
    expect(hadTime).toEqual([true]);
    expect(logged).toEqual([
      ['sweepEnded', { checked: 1_500, removed: 1_500, deleted: 2, erased: 1, isDone: false }],
    ]);
  });

  test.each([
    [20_001, true],
    [20_000, false],
  ])('V1-8 retention with %d ms left begins a step: %p', async (leftMs, expected) => {
    const { hadTime } = await aRun({ old: 0, retentionBeginsAtMs: leftMs });

    expect(hadTime).toEqual([expected]);
  });

  test('V1-8 is not finished while retention is not', async () => {
    const logged: unknown[] = [];
    const handler = createHandler({
      sweep: async () => ({ checked: 0, removed: 0, upTo: 0, isDone: true }),
      retention: async () => ({ deleted: 9, erased: 0, isDone: false }),
      clock: () => now,
      log: (...line) => logged.push(line),
    });

    await handler({}, { getRemainingTimeInMillis: () => runMs });

    expect(logged).toEqual([
      ['sweepEnded', { checked: 0, removed: 0, deleted: 9, erased: 0, isDone: false }],
    ]);
  });

  test('fails if a store fails, so that its errors are counted', async () => {
    const handler = createHandler({
      sweep: () => Promise.reject(new Error('no store')),
      retention: async () => ({ deleted: 0, erased: 0, isDone: true }),
      clock: () => now,
      log: () => {},
    });

    await expect(handler({}, { getRemainingTimeInMillis: () => runMs })).rejects.toThrow('no store');
  });
});
