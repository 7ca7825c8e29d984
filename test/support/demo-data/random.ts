import { createHash } from 'node:crypto';
import { randomFrom } from '../builders/random.ts';

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

export const diceOf = (seed: number): Dice => {
  const { integer, isTrue } = randomFrom(seed);
  const bytes = (size: number) => Uint8Array.from({ length: size }, () => integer(0, 255));
  return {
    whole: integer,
    chance: isTrue,
    pick: (values) => values[integer(0, values.length - 1)] ?? values[0],
    bytes,
    hash: () => Buffer.from(bytes(20)).toString('hex'),
  };
};

/** The opaque hash of a named part of the estate, stable over all runs. */
export const hashOf = (name: string) => createHash('sha1').update(`demo ${name}`).digest('hex');

/** A list of words. */
export const words = (text: string) => text.split(' ') as [string, ...string[]];

export const money = (pounds: number) => pounds.toFixed(2);
