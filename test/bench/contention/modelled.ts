import type { Scenario } from './scenarios.ts';

/** What the model says of the deployed numbers (`npm run bench -- contention`), for documents; that command fails where they differ. */
export const modelled = {
  /** Writes a second in one group of which 90 % succeed at the first try. */
  groupCarries: 40,
  /** Percent of 3,000 honest writes that are taken, and taken at the first try. */
  besides: {
    'nobody else': [100, 98.6],
    'three addresses': [100, 98.43],
    'three addresses, at one location': [100, 98.37],
    'three addresses and all others, at one location': [100, 87.93],
    'three addresses, all within one second of a minute': [100, 97.97],
    'the same, at one location': [100, 96.57],
    'the same, and all others there too': [98.57, 88.73],
    'a partner that moves 5 a second': [100, 97.17],
    'a partner that deletes 5 a second': [100, 97.53],
    'three addresses and that partner': [100, 96],
  } satisfies Record<Scenario, [taken: number, atOnce: number]>,
} as const;
