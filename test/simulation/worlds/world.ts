import type { EndpointStatus } from '../../../functions/shared/domain/endpoint.ts';
import type { History } from '../service/history.ts';
import type { Everything } from '../service/stores.ts';
import { planActs } from './callers.ts';
import { openService } from './open-service.ts';
import { planMeasures } from './operator.ts';
import { connectTriggers } from './triggers.ts';
import type { WorldPlan } from './world-plan.ts';

type EndpointLeft = {
  clientId: string;
  status: EndpointStatus | undefined;
  address: string | undefined;
  parts: string[];
};

export type World = {
  plan: WorldPlan;
  history: History;
  /** What is there ten minutes after the last thing that was done or went wrong (I19). */
  atTenMinutes: Everything;
  /** What is there when the world ends. */
  left: Everything;
  /** What the bus has of each partner's endpoint then, and the recorded status. */
  endpoints: EndpointLeft[];
  /** How much has happened: a world that repeats has the same number. */
  happened: number;
};

const minute = 60_000;

/** Runs a world to its end. The same plan always has the same result. */
export const runWorld = async (plan: WorldPlan): Promise<World> => {
  const open = openService(plan);
  const { kernel, history, stores } = open;
  connectTriggers(open);
  planActs(open);
  planMeasures(open);
  await kernel.run(plan.activeMs + 10 * minute);
  const atTenMinutes = await stores.everythingOf(uuidsIn(history));
  await kernel.run(plan.activeMs + plan.restMs);
  const left = await stores.everythingOf(uuidsIn(history));
  const endpoints = plan.partners.map(({ partner: { clientId } }) => ({
    ...{ clientId, status: open.statuses.get(clientId) },
    ...{ address: open.endpoints.addressOf(clientId), parts: open.endpoints.partsOf(clientId) },
  }));
  return { plan, history, atTenMinutes, left, endpoints, happened: kernel.happened() };
};

const uuidsIn = ({ commits }: History) => [...new Set(commits.map(({ after }) => after.transaction.uuid))];
