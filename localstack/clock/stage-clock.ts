import { systemClock } from '../../functions/shared/runtime/clock.ts';

/** Runs the work after so many milliseconds, unless it is told not to. */
type After = (work: () => void, ms: number) => () => void;

/** The clock of the stage (RUN-12): the machine's, moved on by hand. It never goes back. */
export type StageClock = {
  now: () => Date;
  /** How far it was moved on. */
  aheadMs: () => number;
  /** The same for the threads of functions, which read it whenever they ask for the time. */
  shared: SharedArrayBuffer;
  /** Moves it on: what waits for a time that has come then is done at once. */
  moveOn: (byMs: number) => void;
  /** Hears of each move before anything is done by the new time. */
  onMove: (hear: (byMs: number) => void) => void;
  after: After;
  /** By a rate; of times that a move passed over, one counts. */
  every: After;
  /** Ends early when the signal is given, and at once by a move. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
};

export type Machine = {
  now: () => Date;
  /** Milliseconds that no change of the machine's time touches. */
  steadyMs: () => number;
  after: After;
};

type Timer = { dueMs: number; work: () => void; disarm: () => void };

/** Node's timers know no longer ones. */
const longestMs = 2 ** 31 - 1;

export const createStageClock = (startsAheadMs = 0, machine: Machine = thisMachine): StageClock => {
  const shared = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
  const ahead = new BigInt64Array(shared);
  ahead[0] = BigInt(startsAheadMs);
  const timers = new Set<Timer>();
  const hearers: ((byMs: number) => void)[] = [];
  const aheadMs = () => Number(Atomics.load(ahead, 0));
  const steadyMs = () => machine.steadyMs() + aheadMs();

  const arm = (timer: Timer) => {
    const leftMs = Math.min(Math.max(0, timer.dueMs - steadyMs()), longestMs);
    timer.disarm = machine.after(() => fireWhenDue(timer), leftMs);
  };

  const fireWhenDue = (timer: Timer) => {
    if (!timers.has(timer)) return;
    if (steadyMs() < timer.dueMs) return arm(timer);
    timers.delete(timer);
    timer.work();
  };

  const at = (dueMs: number, work: () => void) => {
    const timer: Timer = { dueMs, work, disarm: () => {} };
    timers.add(timer);
    arm(timer);
    return () => {
      timers.delete(timer);
      timer.disarm();
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
      if (!(byMs > 0)) throw new Error('The clock of the stage only moves on.');
      for (const hear of hearers) hear(byMs);
      Atomics.add(ahead, 0, BigInt(byMs));
      for (const timer of [...timers].toSorted((one, other) => one.dueMs - other.dueMs)) {
        timer.disarm();
        fireWhenDue(timer);
      }
    },
    onMove: (hear) => void hearers.push(hear),
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
