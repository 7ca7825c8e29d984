import type { FunctionPool } from './function-pool.ts';

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
): Pick<FunctionPool, 'name' | 'logFile' | 'invoke'> => {
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
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};
