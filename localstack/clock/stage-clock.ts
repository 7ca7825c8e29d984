import { systemClock } from '../../functions/shared/runtime/clock.ts';

/** Runs the work after `ms`, unless the returned function cancels it before. */
type After = (work: () => void, ms: number) => () => void;

/** The stage's clock (RUN-12): the machine's, moved on by hand. It never goes back. */
export type StageClock = {
  now: () => Date;
  /** How far the clock was moved on. */
  aheadMs: () => number;
  /** `aheadMs` for the threads of functions, which read it at each use of the time. */
  shared: SharedArrayBuffer;
  /** Moves the clock on, and at once runs the work of timers that are due then. */
  moveOn: (byMs: number) => void;
  /** Calls the listener at each move, before the time changes. */
  onMove: (listener: (byMs: number) => void) => void;
  after: After;
  /** Runs the work at a rate. Several times that a move skips count as one. */
  every: After;
  /** Waits until `ms` have passed on this clock, or the signal is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
};

export type Machine = {
  now: () => Date;
  /** A monotonic clock, which changes of the machine's time do not affect. */
  steadyMs: () => number;
  after: After;
};

type Timer = { dueMs: number; work: () => void; cancel: () => void };

/** The longest timeout of Node's timers. */
const longestMs = 2 ** 31 - 1;

export const createStageClock = (startsAheadMs = 0, machine: Machine = thisMachine): StageClock => {
  const shared = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
  const ahead = new BigInt64Array(shared);
  ahead[0] = BigInt(startsAheadMs);
  const timers = new Set<Timer>();
  const listeners: ((byMs: number) => void)[] = [];
  const aheadMs = () => Number(Atomics.load(ahead, 0));
  const steadyMs = () => machine.steadyMs() + aheadMs();

  const schedule = (timer: Timer) => {
    const leftMs = Math.min(Math.max(0, timer.dueMs - steadyMs()), longestMs);
    timer.cancel = machine.after(() => fireWhenDue(timer), leftMs);
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

  const every: After = (work, everyMs) => {
    let dueMs = steadyMs() + everyMs;
    const next = () => {
      const passed = Math.floor((steadyMs() - dueMs) / everyMs);
      dueMs += (passed + 1) * everyMs;
      stop = at(dueMs, next);
      work();
    };
    let stop = at(dueMs, next);
    return () => stop();
  };

  return {
    now: () => new Date(machine.now().getTime() + aheadMs()),
    aheadMs,
    shared,
    moveOn: (byMs) => {
      if (!(byMs > 0)) throw new Error('The clock of the stage only moves forward.');
      for (const listener of listeners) listener(byMs);
      Atomics.add(ahead, 0, BigInt(byMs));
      for (const timer of [...timers].toSorted((one, other) => one.dueMs - other.dueMs)) {
        timer.cancel();
        fireWhenDue(timer);
      }
    },
    onMove: (listener) => void listeners.push(listener),
    after,
    every,
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
  };
};

const thisMachine: Machine = {
  now: systemClock,
  steadyMs: () => performance.now(),
  after: (work, ms) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};
