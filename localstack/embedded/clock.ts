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
  /** Ends its timers. */
  close: () => void;
};

/** Where a clock keeps how far it is ahead, under `aheadMs`. */
type KeptClock = { get: (name: string) => number | undefined; put: (name: string, ms: number) => void };

type Timer = { dueMs: number; work: () => void; cancel: () => void };
type Clock = { timers: Set<Timer>; listeners: ((byMs: number) => void)[] };

/** The longest timeout of Node's timers. */
const longestMs = 2 ** 31 - 1;

const openClocks = new Set<Clock>();
let machineDate: DateConstructor | undefined;
let aheadMs = 0;

/** Functions and libraries read the time as on Lambda, by `Date`, so none of them needs to know of this clock. */
const replaceDate = () => {
  if (machineDate) return;
  const machine = globalThis.Date;
  machineDate = machine;
  const now = () => machine.now() + aheadMs;
  globalThis.Date = new Proxy(machine, {
    construct: (date, given, made) => Reflect.construct(date, given.length === 0 ? [now()] : given, made),
    apply: () => new machine(now()).toString(),
    get: (date, member) => (member === 'now' ? now : Reflect.get(date, member)),
  });
};

/** Unlike `Date`, it does not follow changes of the machine's time. */
const steadyMs = () => performance.now() + aheadMs;

const fireWhenDue = (timers: Set<Timer>, timer: Timer) => {
  if (!timers.has(timer)) return;
  if (steadyMs() < timer.dueMs) return schedule(timers, timer);
  timers.delete(timer);
  timer.work();
};

const schedule = (timers: Set<Timer>, timer: Timer) => {
  const timeout = setTimeout(
    () => fireWhenDue(timers, timer),
    Math.min(Math.max(0, timer.dueMs - steadyMs()), longestMs),
  );
  timer.cancel = () => clearTimeout(timeout);
};

const move = (byMs: number) => {
  for (const { listeners } of openClocks) for (const listener of listeners) listener(byMs);
  aheadMs += byMs;
  const all = [...openClocks].flatMap(({ timers }) => [...timers].map((timer) => ({ timers, timer })));
  for (const { timers, timer } of all.toSorted((one, other) => one.timer.dueMs - other.timer.dueMs)) {
    timer.cancel();
    fireWhenDue(timers, timer);
  }
};

/**
 * Opens the clock of the process, as far ahead as is kept. There is one `Date`, so stages of one process share the time: each has
 * timers and listeners of its own, a move is one for all, and the last to close gives the machine's `Date` back.
 */
export const openClock = (kept?: KeptClock): StageClock => {
  const clock: Clock = { timers: new Set(), listeners: [] };
  const { timers, listeners } = clock;
  replaceDate();
  const behindMs = (kept?.get('aheadMs') ?? 0) - aheadMs;
  if (behindMs > 0) move(behindMs);
  openClocks.add(clock);

  const at = (dueMs: number, work: () => void) => {
    const timer: Timer = { dueMs, work, cancel: () => {} };
    timers.add(timer);
    schedule(timers, timer);
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
      kept?.put('aheadMs', aheadMs + byMs);
      move(byMs);
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
      openClocks.delete(clock);
      if (openClocks.size > 0 || !machineDate) return;
      globalThis.Date = machineDate;
      machineDate = undefined;
      aheadMs = 0;
    },
  };
};

/** The two largest units: `1 d 3 h`, `2 min 5 s`. */
export const shortSpan = (ms: number): string => {
  let seconds = Math.round(ms / 1000);
  const parts: string[] = [];
  for (const [name, size] of [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
    ['s', 1],
  ] as const) {
    const count = Math.floor(seconds / size);
    seconds -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.slice(0, 2).join(' ');
};
