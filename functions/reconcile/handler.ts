import type { Report } from '../shared/runtime/metrics.ts';
import { type ForgottenDeps, wakeForgotten } from './forgotten-rows.ts';
import { type RepairDeps, repairMissed } from './missed-changes.ts';

export type Deps = RepairDeps &
  ForgottenDeps & {
    /** The switch of all webhooks: while everything is stopped, rows wait on purpose. */
    isStopped: () => Promise<boolean>;
    report: Report;
  };

/** The parts of Lambda's context that are used. */
export type InvocationContext = { getRemainingTimeInMillis: () => number };

const minute = 60_000;
const usualMinutes = 30;
const dailyMinutes = 48 * 60;
/** The end of an invocation in which nothing is begun. */
const lastMs = 10_000;

/** Schedules changes that the stream did not schedule, and once a day makes due what no pass has found. */
export const createHandler =
  (deps: Deps) =>
  async (event: unknown, context: InvocationContext): Promise<void> => {
    const { clock, report, log } = deps;
    const { isDaily, lookBackMinutes } = askedBy(event);
    const nowMs = clock().getTime();
    const untilMs = nowMs + context.getRemainingTimeInMillis() - lastMs;
    const fromMs = nowMs - lookBackMinutes * minute;
    const { checked, repaired, checkedUntilMs } = await repairMissed(deps, { fromMs, untilMs, isDaily });
    const woken = isDaily && !(await deps.isStopped()) ? await wakeForgotten(deps, untilMs) : 0;
    report({ repaired: repaired + woken, lookedBackMinutes: Math.floor((checkedUntilMs - fromMs) / minute) });
    log('reconcileEnded', { checked, repaired, partners: woken });
  };

/** The schedules say which run it is. A call by hand without a span looks back half an hour. */
const askedBy = (event: unknown): { isDaily: boolean; lookBackMinutes: number } => {
  const { isDaily, lookBackMinutes } = (event ?? {}) as { isDaily?: unknown; lookBackMinutes?: unknown };
  if (isDaily === true) return { isDaily, lookBackMinutes: dailyMinutes };
  const isNamed = typeof lookBackMinutes === 'number';
  return { isDaily: false, lookBackMinutes: isNamed ? lookBackMinutes : usualMinutes };
};
