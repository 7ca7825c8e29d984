import type { Partner } from '../shared/domain/partner.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { Log } from '../shared/runtime/logger.ts';
import type { PartnerDirectory } from '../shared/store/partners/directory.ts';
import type { Inspection, InspectionStore } from '../shared/store/partners/inspection.ts';

/** What an inspection works with. */
export type InspectionDeps = {
  partners: Pick<PartnerDirectory, 'all'>;
  /** The differences between what the bus has for a partner and its record; none when all is well. */
  inspect: (partner: Partner) => Promise<{ code: string }[]>;
  inspections: InspectionStore;
  wait: (ms: number) => Promise<void>;
  clock: Clock;
  log: Log;
};

/** How many partners a run inspected, how many are known to differ, and the first fault, if one could not be inspected. */
export type InspectionCounts = { partners: number; differing: number; fault?: unknown };

/** Four questions each, so 20 a second: EventBridge answers 50, and the operator's tool asks, too. 200 take 40 s. */
const paceMs = 200;
const mostInRun = 200;
/** Those that differed are looked at in each run, so that their alarm ends when they are mended; so many at most. */
const mostAgain = 50;
/** After so many faults the bus itself is not there. */
const mostFaults = 3;
/** A slow bus may not take the whole run, or how far it came would not be noted. */
const longestMs = 120_000;

/**
 * Inspects the endpoints of partners in turn: a run goes on where the one before has ended, and then looks again at those that
 * differed. Who cannot be inspected is passed over until the next round, so that no partner keeps another from its turn.
 */
export const inspectInTurn = async (deps: InspectionDeps): Promise<InspectionCounts> => {
  const all = (await deps.partners.all()).toSorted(byClientId);
  const before = await deps.inspections.read();
  const { again, next } = turnOf(all, before);
  const { tried, differs, ...found } = await inspectEach([...next, ...again], deps);
  const differing = all
    .map(({ clientId }) => clientId)
    .filter((clientId) => differs.get(clientId) ?? before.differing.includes(clientId));
  const lastClientId = next.findLast(({ clientId }) => tried.has(clientId))?.clientId;
  await deps.inspections.write({ ...before, ...(lastClientId !== undefined && { lastClientId }), differing });
  return { partners: tried.size, differing: differing.length, ...found };
};

const byClientId = (one: Partner, other: Partner) => (one.clientId < other.clientId ? -1 : 1);

/** Those behind the last one, from the beginning again after the end, and those that differed. */
const turnOf = (all: readonly Partner[], { lastClientId = '', differing }: Inspection) => {
  const again = all.filter(({ clientId }) => differing.includes(clientId)).slice(0, mostAgain);
  const behind = all.filter(({ clientId }) => clientId > lastClientId);
  const round = [...behind, ...all.slice(0, all.length - behind.length)];
  const next = round.filter((partner) => !again.includes(partner)).slice(0, mostInRun - again.length);
  return { again, next };
};

type Found = { tried: Set<string>; differs: Map<string, boolean>; fault?: unknown };

const inspectEach = async (turn: readonly Partner[], deps: InspectionDeps): Promise<Found> => {
  const found: Found = { tried: new Set(), differs: new Map() };
  const endsAtMs = deps.clock().getTime() + longestMs;
  const faults: unknown[] = [];
  for (const partner of turn) {
    if (faults.length === mostFaults || deps.clock().getTime() >= endsAtMs) break;
    found.tried.add(partner.clientId);
    try {
      found.differs.set(partner.clientId, await differs(partner, deps));
    } catch (fault) {
      faults.push(fault);
    }
  }
  return { ...found, ...(faults.length > 0 && { fault: faults[0] }) };
};

const differs = async (partner: Partner, { inspect, wait, log }: InspectionDeps): Promise<boolean> => {
  const [differences] = await Promise.all([inspect(partner), wait(paceMs)]);
  const reason = differences.map(({ code }) => code).join(' ');
  if (reason !== '') log('endpointDiffers', { clientId: partner.clientId, reason });
  return differences.length > 0;
};
