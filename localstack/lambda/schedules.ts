import { randomUUID } from 'node:crypto';
import type { CloudSchedule } from '../cloudformation/model.ts';
import type { FunctionPool } from './function-pool.ts';

export type SchedulerDeps = {
  functions: ReadonlyMap<string, Pick<FunctionPool, 'name' | 'logFile' | 'invoke'>>;
  /** Prints a sentence about a fault. */
  warn: (sentence: string) => void;
  /** Runs the work every `everyMs` until the returned function is called. */
  repeat: (work: () => void, everyMs: number) => () => void;
};

export type Scheduler = { stop: () => Promise<void> };

/** Calls each function at once and then at its rate, as a scheduled rule does. */
export const startSchedules = (
  schedules: readonly CloudSchedule[],
  { functions, warn, repeat }: SchedulerDeps,
): Scheduler => {
  const stopping = new AbortController();
  const run = async ({ id, functionId, input }: CloudSchedule) => {
    const pool = functions.get(functionId);
    if (!pool) throw new Error(`The schedule ${id} has no function.`);
    const outcome = await pool.invoke(input, randomUUID());
    if (stopping.signal.aborted || outcome.ok) return;
    warn(`${pool.name}, by its schedule: the function ${outcome.reason}. The cause is in ${pool.logFile}`);
  };
  for (const schedule of schedules) {
    void run(schedule);
    const end = repeat(() => void run(schedule), schedule.everyMs);
    stopping.signal.addEventListener('abort', end);
  }
  return { stop: async () => stopping.abort() };
};
