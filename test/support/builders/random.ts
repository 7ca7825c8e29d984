import { numberVariable } from '../run/numbers.ts';

/** A small seeded generator (mulberry32), so that a failing run can be run again. */
export type Random = {
  /** In [0, 1). */
  next: () => number;
  /** An integer in [from, to]. */
  integer: (from: number, to: number) => number;
  oneOf: <Value>(values: readonly Value[]) => Value;
  isTrue: (probability: number) => boolean;
};

export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    integer,
    isTrue: (probability) => next() < probability,
    oneOf: (values) => {
      const value = values[integer(0, values.length - 1)];
      if (value === undefined) throw new Error('nothing to choose from');
      return value;
    },
  };
};

/** `SEED` repeats a run; else each run has its own. Printed before anything happens, so that a red run can be replayed. */
export const seedOfRun = (what: string) => {
  const seed = numberVariable('SEED', Math.floor(Math.random() * 2 ** 31));
  process.stdout.write(`${what}: SEED=${seed}\n`);
  return seed;
};
