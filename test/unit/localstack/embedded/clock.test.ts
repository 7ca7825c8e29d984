import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { openClock, type StageClock } from '../../../../localstack/embedded/clock.ts';

const day = 86_400_000;
const startMs = Date.parse('2026-11-21T12:00:00Z');
const opened: StageClock[] = [];
const open = (...kept: Parameters<typeof openClock>) => {
  const next = openClock(...kept);
  opened.push(next);
  return next;
};
let clock: StageClock;
beforeEach(() => {
  jest.useFakeTimers({ now: startMs, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  clock = open();
});
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
  jest.useRealTimers();
});

/** A store in memory for what a clock keeps. */
const aStore = (aheadMs?: number) => {
  const stored = new Map<string, number>(aheadMs === undefined ? [] : [['aheadMs', aheadMs]]);
  return {
    get: (name: string) => stored.get(name),
    put: (name: string, ms: number) => void stored.set(name, ms),
  };
};

describe('RUN-12 Date', () => {
  test('RUN-12 every way to ask for the present time is ahead; a given time is as given', () => {
    clock.moveOn(31 * day);

    const fresh = new Date();
    expect([Date.now(), fresh.getTime(), new Date(0).getTime(), Date.parse('1970-01-01')]).toEqual([
      startMs + 31 * day,
      startMs + 31 * day,
      0,
      0,
    ]);
    expect(Date()).toMatch(/^Tue Dec 22 2026/);
    expect(new Date() instanceof Date).toBe(true);
  });

  test('RUN-12 the last clock of the process that closes gives the machine’s Date back, in whatever order', () => {
    const second = open();
    const third = open();
    clock.moveOn(day);
    second.moveOn(day);
    clock.close();
    const amongTwo = Date.now();
    third.close();
    const amongOne = [Date.now(), second.aheadMs()];
    second.close();

    expect([amongTwo, amongOne, Date.now()]).toEqual([
      startMs + 2 * day,
      [startMs + 2 * day, 2 * day],
      startMs,
    ]);
    expect(open().aheadMs()).toBe(0);
  });

  test.each([0, -1, Number.NaN])('RUN-12 it never goes back: a move by %d is refused', (byMs) => {
    expect(() => clock.moveOn(byMs)).toThrow('The clock of the stage only moves forward.');
    expect(Date.now()).toBe(startMs);
  });

  test('RUN-12 a start goes on where the last one was, and is never behind a clock that is open', () => {
    const kept = aStore(day);
    const first = open(kept);
    first.moveOn(2 * day);
    const store = aStore(day);
    const second = open(store);

    expect([kept.get('aheadMs'), first.aheadMs(), second.aheadMs()]).toEqual([3 * day, 3 * day, 3 * day]);
    first.close();
    second.close();
    clock.close();
    expect(open(kept).aheadMs()).toBe(3 * day);
  });
});

describe('RUN-12 timers', () => {
  test('RUN-12 a move runs what is due then, earliest first and once; the rest waits for the rest', () => {
    const done: string[] = [];
    clock.after(() => done.push('10 s'), 10_000);
    clock.after(() => done.push('5 s'), 5_000);
    clock.after(() => done.push('20 s'), 20_000);
    clock.after(() => done.push('cancelled'), 5_000)();
    clock.moveOn(10_000);
    const byMove = [...done];
    jest.advanceTimersByTime(9_999);
    const early = [...done];
    jest.advanceTimersByTime(1);

    expect([byMove, early, done]).toEqual([
      ['5 s', '10 s'],
      ['5 s', '10 s'],
      ['5 s', '10 s', '20 s'],
    ]);
  });

  test('RUN-12 of the times of a rate that a move skips one counts, and the rate goes on in its rhythm', () => {
    const atMs: number[] = [];
    clock.repeat(() => atMs.push(Date.now() - startMs), 60_000);
    clock.moveOn(31 * day + 30_000);
    jest.advanceTimersByTime(90_000);

    expect(atMs).toEqual([31 * day + 30_000, 31 * day + 60_000, 31 * day + 120_000]);
  });

  test('RUN-12 a move runs the timers of every clock, and each listener hears of it before the time changes', () => {
    const second = open();
    const heard: [number, number][] = [];
    const done: string[] = [];
    clock.onMove((byMs) => heard.push([byMs, Date.now()]));
    second.onMove((byMs) => heard.push([byMs, Date.now()]));
    second.after(() => done.push('of the second'), 1_000);
    clock.moveOn(1_000);
    second.close();

    expect([heard, done]).toEqual([
      [
        [1_000, startMs],
        [1_000, startMs],
      ],
      ['of the second'],
    ]);
  });

  test('RUN-12 a wait beyond the longest of Node’s timers ends in its time, and closing ends waits', () => {
    const done: string[] = [];
    clock.after(() => done.push('30 days'), 30 * day);
    clock.after(() => done.push('40 days'), 40 * day);
    jest.advanceTimersByTime(30 * day - 1);
    const early = [...done];
    jest.advanceTimersByTime(1);
    clock.close();
    jest.advanceTimersByTime(20 * day);

    expect([early, done]).toEqual([[], ['30 days']]);
  });

  test('RUN-12 a pause ends by time, by a move, or by its signal', async () => {
    const signal = new AbortController();
    const ends = ['time', 'move', 'signal'].map(async (name, index) => {
      await clock.pause([1_000, 2_000, 3_000][index] ?? 0, signal.signal);
      return [name, Date.now() - startMs];
    });
    jest.advanceTimersByTime(1_000);
    await ends[0];
    clock.moveOn(1_000);
    await ends[1];
    signal.abort();
    await clock.pause(1_000, signal.signal);

    expect(await Promise.all(ends)).toEqual([
      ['time', 1_000],
      ['move', 2_000],
      ['signal', 2_000],
    ]);
  });
});
