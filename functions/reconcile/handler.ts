import type { Report } from '../shared/runtime/metrics.ts';
import { type InspectionDeps, inspectInTurn } from './inspection-turn.ts';
import { type RepairDeps, repairMissed } from './missed-changes.ts';

/** What the handler works with. */
export type Deps = RepairDeps & InspectionDeps & { report: Report };

/** Repairs missed changes first, so that a fault at the bus delays no event; then inspects the endpoints. */
export const createHandler =
  (deps: Deps) =>
  async (event: unknown): Promise<void> => {
    const lookBackMs = lookBackMsOf(event);
    const { looked, repaired } = await repairMissed(deps, lookBackMs);
    deps.report({ repaired, lookedBackMinutes: lookBackMs / minute });
    const { partners, differing, fault } = await inspectInTurn(deps);
    deps.report({ differingEndpoints: differing });
    if (fault !== undefined) throw fault;
    deps.log('reconcileEnded', { looked, repaired, partners, differing });
  };

const minute = 60_000;

/** Its schedules say how far to look back; a call by hand that does not gets the usual half hour. */
const lookBackMsOf = (event: unknown): number => {
  const { lookBackMinutes } = (event ?? {}) as { lookBackMinutes?: unknown };
  return typeof lookBackMinutes === 'number' ? lookBackMinutes * minute : 30 * minute;
};
