import { createHash } from 'node:crypto';

/** A source of repeatable randomness: the same seed gives the same data on every machine. */
export type Dice = {
  /** A whole number from `low` to `high`, both included. */
  whole: (low: number, high: number) => number;
  /** True with the given probability. */
  chance: (probability: number) => boolean;
  pick: <Value>(values: readonly [Value, ...Value[]]) => Value;
  bytes: (size: number) => Uint8Array;
  /** 40 hexadecimal characters, as the interface shows hashes. */
  hash: () => string;
};

/** mulberry32: 32 bits of state, good enough for believable data and the same everywhere. */
export const diceOf = (seed: number): Dice => {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const bytes = (size: number) => Uint8Array.from({ length: size }, () => whole(0, 255));
  return {
    whole,
    chance: (probability) => next() < probability,
    pick: (values) => values[whole(0, values.length - 1)] ?? values[0],
    bytes,
    hash: () => Buffer.from(bytes(20)).toString('hex'),
  };
};

/** The opaque hash of a named part of the estate, stable over all runs. */
export const hashOf = (name: string) => createHash('sha1').update(`demo ${name}`).digest('hex');

/** A list of words. */
export const words = (text: string) => text.split(' ') as [string, ...string[]];

export const money = (pounds: number) => pounds.toFixed(2);
