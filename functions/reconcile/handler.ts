import type { Partner } from '../shared/domain/partner.ts';
import type { Report } from '../shared/runtime/metrics.ts';
import type { PartnerDirectory } from '../shared/store/partners/directory.ts';
import { type RepairDeps, repairMissed } from './missed-changes.ts';

/** What the handler works with. */
export type Deps = RepairDeps & {
  partners: Pick<PartnerDirectory, 'all'>;
  /** The differences between what the bus has for a partner and its record; none when all is well. */
  inspect: (partner: Partner) => Promise<{ code: string }[]>;
  report: Report;
};

/** Repairs missed changes first, so that a fault at the bus delays no event; then inspects the endpoints. */
export const createHandler =
  (deps: Deps) =>
  async (event: unknown): Promise<void> => {
    const lookBackMs = lookBackMsOf(event);
    const { looked, repaired } = await repairMissed(deps, lookBackMs);
    deps.report({ repaired, lookedBackMinutes: lookBackMs / minute });
    const { partners, differing } = await inspectAll(deps);
    deps.report({ differingEndpoints: differing });
    deps.log('reconcileEnded', { looked, repaired, partners, differing });
  };

const minute = 60_000;

/** Its schedules say how far to look back; a call by hand that does not gets the usual half hour. */
const lookBackMsOf = (event: unknown): number => {
  const { lookBackMinutes } = (event ?? {}) as { lookBackMinutes?: unknown };
  return typeof lookBackMinutes === 'number' ? lookBackMinutes * minute : 30 * minute;
};

/** One after the other: EventBridge answers only some fifty such questions a second. */
const inspectAll = async ({ partners, inspect, log }: Deps) => {
  const all = await partners.all();
  let differing = 0;
  for (const partner of all) {
    const differences = await inspect(partner);
    if (differences.length === 0) continue;
    differing += 1;
    log('endpointDiffers', {
      clientId: partner.clientId,
      reason: differences.map(({ code }) => code).join(' '),
    });
  }
  return { partners: all.length, differing };
};
