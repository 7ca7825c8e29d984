import { planActs, planMeasures } from './callers.ts';
import type { FaultMode, Site } from './faults.ts';
import type { History } from './history.ts';
import { openService } from './open-service.ts';
import type { PartnerPlan } from './partner-program.ts';
import type { Planned } from './program.ts';
import { randomOf } from './seeds.ts';
import type { Everything, Stores } from './stores.ts';
import { connectTriggers } from './triggers.ts';

/** A world before it begins: everything that is meant to happen in it. */
export type WorldPlan = {
  seed: number;
  mode: FaultMode;
  /** So long things are done, and go wrong. */
  activeMs: number;
  /** So long nothing is done any more (I19). */
  restMs: number;
  acts: readonly Planned[];
  partners: readonly PartnerPlan[];
  /** What never goes wrong in it. */
  without?: readonly Site[];
  /** The bus tells the ledger of its attempts (the embedded stage) or not (AWS). */
  isEmbedded: boolean;
  hasReconciler?: boolean;
  maxHoldMs?: number;
  /** How late a TransactionUpdated may be; by the mode where nothing is said. */
  updatedWithinMs?: number;
  /** What the checks allow for requests under way, and for clocks; by the mode where nothing is said. */
  graceMs?: number;
  skewMs?: number;
  /** Every record of the stream is lost (I20). */
  isStreamLost?: boolean;
  /** Records of the stream come in any order and any number. */
  isStreamWild?: boolean;
  /** Entries that the bus never takes. */
  isNeverTaken?: (clientId: string, eventId: string) => boolean;
  /** A transaction that no flush can read, as long as things are done. */
  unreadable?: string;
  /** How often everything is looked at in between (I12). */
  samples?: number;
};

/** Everything at one instant, and what of it is there a hundred days later if nothing happens. */
export type Sample = { atMs: number; now: Everything; later: Everything };

export type World = {
  plan: WorldPlan;
  history: History;
  /** What is there ten minutes after the last thing that was done or went wrong (I19). */
  atTenMinutes: Everything;
  /** What is there when the world ends. */
  left: Everything;
  samples: Sample[];
  /** How much has happened: a world that repeats has the same number. */
  happened: number;
};

const minute = 60_000;
const leapMs = 100 * 24 * 60 * minute;

/** Runs a world to its end. The same plan always comes to the same. */
export const runWorld = async (plan: WorldPlan): Promise<World> => {
  const open = openService(plan);
  const { kernel, history, stores } = open;
  connectTriggers(open);
  planActs(open);
  planMeasures(open);
  const samples = await takeSamples(open);
  await kernel.run(plan.activeMs + 10 * minute);
  const atTenMinutes = await stores.everythingOf(uuidsIn(history));
  await kernel.run(plan.activeMs + plan.restMs);
  const left = await stores.everythingOf(uuidsIn(history));
  return { plan, history, atTenMinutes, left, samples, happened: kernel.happened() };
};

const uuidsIn = ({ commits }: History) => [...new Set(commits.map(({ after }) => after.transaction.uuid))];

/** Runs up to each of some random instants and looks at everything there. */
const takeSamples = async ({ plan, kernel, history, stores }: ReturnType<typeof openService>) => {
  const { samples = 3, activeMs, seed } = plan;
  const instants = randomOf(seed, 'samples');
  const taken: Sample[] = [];
  for (let count = 0; count < samples; count += 1) {
    await kernel.run(Math.floor(((count + instants.next()) * activeMs) / samples));
    taken.push({ atMs: kernel.nowMs(), ...(await sampleOf(stores, uuidsIn(history))) });
  }
  return taken;
};

const sampleOf = async (stores: Stores, uuids: readonly string[]) => ({
  now: await stores.everythingOf(uuids),
  later: await stores.everythingOf(uuids, { leapMs }),
});
