import type { Clock } from '../shared/runtime/clock.ts';
import type { Log } from '../shared/runtime/logger.ts';
import type { SweepCounts } from '../shared/store/transactions/sweep.ts';

export type SweepDeps = {
  /** Looks at about `limit` transactions, from where the last sweep ended. */
  sweep: (ask: { now: Date; limit: number }) => Promise<SweepCounts>;
  clock: Clock;
  log: Log;
};

/** What Lambda says about the time that is left to a run. */
export type RunContext = { getRemainingTimeInMillis: () => number };

/** Some seconds at worst, so none begins in the last twenty of a run. */
const stepSize = 100;
const lastStepMs = 20_000;

/** One hour's run: steps until no transaction is old enough, or until the next run has to go on (V1-8). */
export const createHandler =
  ({ sweep, clock, log }: SweepDeps) =>
  async (_event: unknown, context: RunContext): Promise<void> => {
    const total = { looked: 0, removed: 0, isDone: false };
    while (!total.isDone && context.getRemainingTimeInMillis() > lastStepMs) {
      const { looked, removed, isDone } = await sweep({ now: clock(), limit: stepSize });
      total.looked += looked;
      total.removed += removed;
      total.isDone = isDone;
    }
    log('sweepEnded', total);
  };
