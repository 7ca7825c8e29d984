import type { Clock } from '../shared/runtime/clock.ts';
import type { Log } from '../shared/runtime/logger.ts';
import type { SweepCounts } from '../shared/store/transactions/sweep.ts';
import type { RetentionCounts } from './retention.ts';

export type SweepDeps = {
  /** Processes about `limit` transactions, from where the last sweep ended. */
  sweep: (ask: { now: Date; limit: number }) => Promise<SweepCounts>;
  /** Continues from where the last invocation ended, as long as there is time. */
  retention: (hasTime: () => boolean) => Promise<RetentionCounts>;
  clock: Clock;
  log: Log;
};

/** What Lambda says about the remaining time. */
export type RunContext = { getRemainingTimeInMillis: () => number };

/** A part takes some seconds at worst, so none begins in the last twenty. */
const stepSize = 100;
const lastStepMs = 20_000;

/** The hourly invocation: removes untouched checkouts, and deletes or erases what is past its retention (V1-8). */
export const createHandler =
  ({ sweep, retention, clock, log }: SweepDeps) =>
  async (_event: unknown, context: RunContext): Promise<void> => {
    const leavesMoreThan = (ms: number) => () => context.getRemainingTimeInMillis() > ms;
    // Retention has half of each invocation, however many checkouts are untouched.
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
