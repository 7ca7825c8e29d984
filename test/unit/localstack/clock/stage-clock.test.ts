import { describe, expect, test } from '@jest/globals';
import { createStageClock } from '../../../../localstack/clock/stage-clock.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** A clock on a machine whose time passes when the test says so, and a list for what was done. */
const aStageClock = () => {
  let nowMs = 0;
  let timers: { dueMs: number; work: () => void }[] = [];
  const clock = createStageClock(0, {
    now: () => new Date(Date.UTC(2026, 10, 22) + nowMs),
    steadyMs: () => nowMs,
    after: (work, ms) => {
      const timer = { dueMs: nowMs + ms, work };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
  });
  const pass = (ms: number) => {
    nowMs += ms;
    const due = timers.filter(({ dueMs }) => dueMs <= nowMs);
    timers = timers.filter(({ dueMs }) => dueMs > nowMs);
    for (const { work } of due) work();
  };
  const done: string[] = [];
  return { clock, pass, armed: () => timers.map(({ dueMs }) => dueMs - nowMs), done };
};

describe('RUN-12 the clock of the stage', () => {
  test.each([0, -1, Number.NaN])('it never goes back, nor stays: %d', (byMs) => {
    const { clock } = aStageClock();

    expect(() => clock.moveOn(byMs)).toThrow('only moves forward');
    expect(clock.aheadMs()).toBe(0);
  });

  test('what waits for a time that has come is done at once, the earliest first; the rest waits for the rest', () => {
    const { clock, pass, done } = aStageClock();
    for (const minutes of [10, 2, 1]) clock.after(() => done.push(`after ${minutes} min`), minutes * minute);

    clock.moveOn(2 * minute);
    expect(done).toEqual(['after 1 min', 'after 2 min']);

    pass(7 * minute);
    expect(done).toHaveLength(2);
    pass(minute);
    expect(done).toEqual(['after 1 min', 'after 2 min', 'after 10 min']);
  });

  test('what is taken back is not done, not even by a move', () => {
    const { clock, pass, done } = aStageClock();
    const stop = clock.after(() => done.push('after'), minute);
    const stopRate = clock.every(() => done.push('every'), minute);

    stop();
    stopRate();
    clock.moveOn(day);
    pass(day);

    expect(done).toEqual([]);
  });

  test('of the times of a rate that a move passed over one counts, and the rate goes on as it was', () => {
    const { clock, pass, done } = aStageClock();
    clock.every(() => done.push(clock.now().toISOString()), minute);

    pass(minute);
    clock.moveOn(25 * 60 * minute + 30_000);
    pass(29_999);
    pass(1);
    pass(minute);

    expect(done).toEqual([
      '2026-11-22T00:01:00.000Z',
      '2026-11-23T01:01:30.000Z',
      '2026-11-23T01:02:00.000Z',
      '2026-11-23T01:03:00.000Z',
    ]);
  });

  test('a wait that is longer than Node’s timers is waited for to its end', () => {
    const { clock, pass, armed, done } = aStageClock();
    clock.after(() => done.push('after 31 d'), 31 * day);

    expect(armed()).toEqual([2 ** 31 - 1]);
    pass(2 ** 31 - 1);
    expect(done).toEqual([]);
    pass(31 * day - (2 ** 31 - 1));

    expect(done).toEqual(['after 31 d']);
  });

  test('work that begins other work, and moves the clock itself, is done once', () => {
    const { clock, done } = aStageClock();
    clock.after(() => {
      done.push('first');
      clock.moveOn(minute);
      clock.after(() => done.push('later'), minute);
    }, minute);
    clock.after(() => done.push('second'), 2 * minute);

    clock.moveOn(minute);

    expect(done).toEqual(['first', 'second']);
  });

  test('a move is heard of before anything is done by the new time', () => {
    const { clock, done } = aStageClock();
    clock.after(() => done.push('done'), minute);
    clock.onMove((byMs) => done.push(`moved by ${byMs} at ${clock.aheadMs()}`));

    clock.moveOn(minute);

    expect(done).toEqual(['moved by 60000 at 0', 'done']);
  });

  test('a pause ends in its time, by a move, or by the signal', async () => {
    const { clock, pass, armed } = aStageClock();
    const stopping = new AbortController();

    const paused = clock.pause(minute, stopping.signal);
    pass(minute);
    await paused;
    const moved = clock.pause(day, stopping.signal);
    clock.moveOn(day);
    await moved;
    const stopped = clock.pause(day, stopping.signal);
    stopping.abort();
    await stopped;
    await clock.pause(day, stopping.signal);

    expect(armed()).toEqual([]);
  });
});
