import type { Report } from '../shared/runtime/metrics.ts';
import { type RepairDeps, repairMissed } from './missed-changes.ts';

export type Deps = RepairDeps & { report: Report };

/** Schedules changes that the stream did not schedule. */
export const createHandler =
  (deps: Deps) =>
  async (event: unknown): Promise<void> => {
    const lookBackMs = lookBackMsOf(event);
    const { checked, repaired } = await repairMissed(deps, lookBackMs);
    deps.report({ repaired, lookedBackMinutes: lookBackMs / minute });
    deps.log('reconcileEnded', { checked, repaired });
  };

const minute = 60_000;

/** The schedules say how far to look back. A call by hand without a span looks back half an hour. */
const lookBackMsOf = (event: unknown): number => {
  const { lookBackMinutes } = (event ?? {}) as { lookBackMinutes?: unknown };
  return typeof lookBackMinutes === 'number' ? lookBackMinutes * minute : 30 * minute;
};
