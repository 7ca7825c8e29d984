import type { Clock } from '../shared/runtime/clock.ts';
import type { Log } from '../shared/runtime/logger.ts';
import type { SweepCounts } from '../shared/store/transactions/sweep.ts';
import type { RetentionCounts } from './retention.ts';

export type SweepDeps = {
  /** Looks at about `limit` transactions, from where the last sweep ended. */
  sweep: (ask: { now: Date; limit: number }) => Promise<SweepCounts>;
  /** Goes on from where the last run ended, as long as it has time. */
  retention: (hasTime: () => boolean) => Promise<RetentionCounts>;
  clock: Clock;
  log: Log;
};

/** What Lambda says about the time that is left to a run. */
export type RunContext = { getRemainingTimeInMillis: () => number };

/** Some seconds at worst, so none begins in the last twenty of a run. */
const stepSize = 100;
const lastStepMs = 20_000;

/** One hour's run: what nobody touched is removed, what is kept no longer is deleted or erased (V1-8). */
export const createHandler =
  ({ sweep, retention, clock, log }: SweepDeps) =>
  async (_event: unknown, context: RunContext): Promise<void> => {
    const leavesMoreThan = (ms: number) => () => context.getRemainingTimeInMillis() > ms;
    // However many are untouched, retention has half of each run.
    const hasTimeToSweep = leavesMoreThan(Math.max(context.getRemainingTimeInMillis() / 2, lastStepMs));
    const total = { checked: 0, removed: 0, isDone: false };
    while (!total.isDone && hasTimeToSweep()) {
      const { checked, removed, isDone } = await sweep({ now: clock(), limit: stepSize });
      total.checked += checked;
      total.removed += removed;
      total.isDone = isDone;
    }
    const { deleted, erased, isDone } = await retention(leavesMoreThan(lastStepMs));
    log('sweepEnded', { ...total, deleted, erased, isDone: total.isDone && isDone });
  };
