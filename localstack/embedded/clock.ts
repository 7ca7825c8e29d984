/** Runs the work after `ms`, unless the returned function cancels it before. */
type After = (work: () => void, ms: number) => () => void;

/** The clock of the process (RUN-12): `Date` is the machine's time, moved on by hand. It never goes back. */
export type StageClock = {
  /** How far the clock is ahead of the machine's, in milliseconds. */
  aheadMs: () => number;
  /** Moves the clock on, and at once runs the work of timers that are due then. */
  moveOn: (byMs: number) => void;
  /** Calls the listener at each move, before the time changes. */
  onMove: (listener: (byMs: number) => void) => void;
  after: After;
  /** Runs the work at a rate. Several times that a move skips count as one. */
  repeat: After;
  /** Waits until `ms` have passed on this clock, or the signal is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Gives the process the machine's `Date` back. */
  close: () => void;
};

type Timer = { dueMs: number; work: () => void; cancel: () => void };

/** The longest timeout of Node's timers. */
const longestMs = 2 ** 31 - 1;

/** Sets the process's clock this far ahead. A process has one such clock at a time. */
export const openClock = (startsAheadMs = 0): StageClock => {
  const machineDate = globalThis.Date;
  const timers = new Set<Timer>();
  const listeners: ((byMs: number) => void)[] = [];
  let aheadMs = startsAheadMs;
  const now = () => machineDate.now() + aheadMs;
  // Functions and libraries read the time as on Lambda, by `Date`, so none of them needs to know of this clock.
  globalThis.Date = new Proxy(machineDate, {
    construct: (date, given, made) => Reflect.construct(date, given.length === 0 ? [now()] : given, made),
    apply: () => new machineDate(now()).toString(),
    get: (date, member) => (member === 'now' ? now : Reflect.get(date, member)),
  });
  /** Unlike `Date`, it does not follow changes of the machine's time. */
  const steadyMs = () => performance.now() + aheadMs;

  const schedule = (timer: Timer) => {
    const timeout = setTimeout(
      () => fireWhenDue(timer),
      Math.min(Math.max(0, timer.dueMs - steadyMs()), longestMs),
    );
    timer.cancel = () => clearTimeout(timeout);
  };

  const fireWhenDue = (timer: Timer) => {
    if (!timers.has(timer)) return;
    if (steadyMs() < timer.dueMs) return schedule(timer);
    timers.delete(timer);
    timer.work();
  };

  const at = (dueMs: number, work: () => void) => {
    const timer: Timer = { dueMs, work, cancel: () => {} };
    timers.add(timer);
    schedule(timer);
    return () => {
      timers.delete(timer);
      timer.cancel();
    };
  };

  const after: After = (work, ms) => at(steadyMs() + ms, work);

  const repeat: After = (work, everyMs) => {
    let dueMs = steadyMs() + everyMs;
    const next = () => {
      dueMs += (Math.floor((steadyMs() - dueMs) / everyMs) + 1) * everyMs;
      stop = at(dueMs, next);
      work();
    };
    let stop = at(dueMs, next);
    return () => stop();
  };

  return {
    aheadMs: () => aheadMs,
    moveOn: (byMs) => {
      if (!(byMs > 0)) throw new Error('The clock of the stage only moves forward.');
      for (const listener of listeners) listener(byMs);
      aheadMs += byMs;
      for (const timer of [...timers].toSorted((one, other) => one.dueMs - other.dueMs)) {
        timer.cancel();
        fireWhenDue(timer);
      }
    },
    onMove: (listener) => void listeners.push(listener),
    after,
    repeat,
    pause: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const end = () => {
          stop();
          signal.removeEventListener('abort', end);
          resolve();
        };
        const stop = after(end, Math.max(0, ms));
        signal.addEventListener('abort', end);
      }),
    close: () => {
      for (const { cancel } of timers) cancel();
      timers.clear();
      globalThis.Date = machineDate;
    },
  };
};
