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
    'three addresses with a method override': [100, 98.43],
    'three addresses with a method override, all within one second of a minute': [100, 97.97],
    'three addresses that move': [100, 92.77],
    'three addresses that move, at one location': [100, 92.03],
    'three addresses that move and all others, at one location': [100, 67.67],
    'three addresses that move, all within one second of a minute': [98.77, 95.27],
    'three addresses that move within that second, and all others, at one location': [97.47, 88.3],
    'three addresses that delete': [100, 95.43],
    'three addresses that delete, at one location': [100, 95.03],
    'three addresses that delete, all within one second of a minute': [98.77, 95.17],
    'three addresses that create and move': [100, 93.47],
    'three addresses that create and move, all within one second of a minute': [98.57, 94.7],
    'a partner that moves 5 a second': [100, 97.17],
    'a partner that deletes 5 a second': [100, 97.53],
    'three addresses and that partner': [100, 96],
  } satisfies Record<Scenario, [taken: number, atOnce: number]>,
} as const;
