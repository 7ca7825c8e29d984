import { jest } from '@jest/globals';

const timers = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
] as const;

/** Holds `Date` still at noon of 2026-11-21 until `jest.useRealTimers()`; everything else goes on. */
export const holdDate = () => {
  let atMs = Date.parse('2026-11-21T12:00:00Z');
  jest.useFakeTimers({
    now: atMs,
    doNotFake: [...timers, 'nextTick', 'queueMicrotask', 'performance', 'hrtime'],
  });
  return {
    pass: (ms: number) => {
      atMs += ms;
      jest.setSystemTime(atMs);
    },
  };
};

/** Resolves when all that follows without a timer has happened. */
export const settled = async () => {
  for (let turns = 0; turns < 10; turns += 1) await new Promise(setImmediate);
};
