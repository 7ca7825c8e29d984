import type { Partner } from '../shared/domain/partner.ts';
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
  log: Log;
};

/** How many partners a run inspected, and how many are known to differ. */
export type InspectionCounts = { partners: number; differing: number };

/** Four questions each, so 20 a second: EventBridge answers 50, and the operator's tool asks, too. 200 take 40 s. */
const paceMs = 200;
const mostInRun = 200;
/** Those that differed are looked at in each run, so that their alarm ends when they are mended; so many at most. */
const mostAgain = 50;

/**
 * Inspects the endpoints of partners in turn: a run goes on where the one before has ended. Whoever cannot be inspected ends
 * the run, and the next one begins after it, so that one partner keeps no other from being inspected.
 */
export const inspectInTurn = async (deps: InspectionDeps): Promise<InspectionCounts> => {
  const all = (await deps.partners.all()).toSorted(byClientId);
  const before = await deps.inspections.read();
  const { again, next } = turnOf(all, before);
  const found = await inspectEach([...again, ...next], deps);
  const differing = all
    .map(({ clientId }) => clientId)
    .filter((clientId) => found.differs.get(clientId) ?? before.differing.includes(clientId));
  const lastClientId = next.findLast(({ clientId }) => found.tried.has(clientId))?.clientId;
  await deps.inspections.write({ ...before, ...(lastClientId !== undefined && { lastClientId }), differing });
  if (found.fault !== undefined) throw found.fault;
  return { partners: found.tried.size, differing: differing.length };
};

const byClientId = (one: Partner, other: Partner) => (one.clientId < other.clientId ? -1 : 1);

/** Those that differed, and those behind the last one, from the beginning again after the end. */
const turnOf = (all: readonly Partner[], { lastClientId = '', differing }: Inspection) => {
  const again = all.filter(({ clientId }) => differing.includes(clientId)).slice(0, mostAgain);
  const behind = all.filter(({ clientId }) => clientId > lastClientId);
  const round = [...behind, ...all.slice(0, all.length - behind.length)];
  const next = round.filter((partner) => !again.includes(partner)).slice(0, mostInRun - again.length);
  return { again, next };
};

type Found = { tried: Set<string>; differs: Map<string, boolean>; fault?: unknown };

const inspectEach = async (
  turn: readonly Partner[],
  { inspect, wait, log }: InspectionDeps,
): Promise<Found> => {
  const found: Found = { tried: new Set(), differs: new Map() };
  for (const partner of turn) {
    const { clientId } = partner;
    found.tried.add(clientId);
    try {
      const [differences] = await Promise.all([inspect(partner), wait(paceMs)]);
      found.differs.set(clientId, differences.length > 0);
      const reason = differences.map(({ code }) => code).join(' ');
      if (reason !== '') log('endpointDiffers', { clientId, reason });
    } catch (fault) {
      return { ...found, fault };
    }
  }
  return found;
};
