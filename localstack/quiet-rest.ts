import type { Cloud } from './cloud.ts';
import type { FunctionPool } from './function-pool.ts';

type Called = Pick<FunctionPool, 'name' | 'logFile' | 'invoke'>;

/** Longer than the ten seconds between two ticks of a train of delayed messages. */
const eventSourceQuietMs = 30_000;

/** The functions for those who call them behind the front door: schedules, which come seldom, and event sources, in bursts. */
export const behindTheFront = (
  { eventSources }: Pick<Cloud, 'eventSources'>,
  functions: ReadonlyMap<string, FunctionPool>,
): ReadonlyMap<string, Called> =>
  new Map(
    [...functions].map(([id, pool]) => {
      const hasSource = eventSources.some(({ functionId }) => functionId === id);
      return [id, restWhenQuiet(pool, hasSource ? eventSourceQuietMs : 0)];
    }),
  );

/** Runs the work after so many milliseconds, unless it is told not to. */
export type After = (work: () => void, ms: number) => () => void;

/**
 * A function that nobody waits for: its idle instances end when it has not been called for a while, and give their memory
 * back. Calls that come every few seconds find it awake.
 */
export const restWhenQuiet = (
  { name, logFile, invoke, rest }: FunctionPool,
  quietMs: number,
  after: After = byTimer,
): Called => {
  let stayAwake = () => {};
  return {
    name,
    logFile,
    invoke: async (event, requestId) => {
      stayAwake();
      const outcome = await invoke(event, requestId);
      stayAwake();
      stayAwake = after(() => void rest(), quietMs);
      return outcome;
    },
  };
};

const byTimer: After = (work, ms) => {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
};
