import { performance } from 'node:perf_hooks';
import { type StartedEngine, startEngine } from '../support/engine/engine.ts';
import { markdownTable } from './cost/markdown.ts';

export type Row = (string | number)[];

/** Prints figures as a table of Markdown. */
export const print = (head: string[], rows: Row[]) =>
  console.log(
    `${markdownTable(
      head,
      rows.map((row) => row.map(String)),
    )}\n`,
  );

/** A goal, and whether it is reached. */
export const judged = (isReached: boolean, goal: string): string =>
  `${goal}: ${isReached ? 'reached' : 'missed'}`;

/** How long some work takes, in milliseconds. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Works on an engine of its own. */
export const onEngine = async <T>(work: (engine: StartedEngine) => Promise<T>): Promise<T> => {
  const engine = await startEngine();
  try {
    return await work(engine);
  } finally {
    await engine.stop();
  }
};
