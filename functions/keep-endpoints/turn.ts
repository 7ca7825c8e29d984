import { isUnmended } from '../shared/domain/endpoint-status.ts';
import { clientIdsAtBus } from '../shared/outbound/endpoint/state.ts';
import type { EndpointRequests } from '../shared/outbound/endpoint-requests.ts';
import type { Log } from '../shared/runtime/logger.ts';
import type { EndpointRecord, EndpointStore } from '../shared/store/partners/endpoints.ts';
import type { Inspection, InspectionStore } from '../shared/store/partners/inspection.ts';
import { type PollDeps, pollEndpoint } from './keep.ts';

/** What a poll of partners in turn works with. */
export type TurnDeps = PollDeps & {
  endpoints: Pick<EndpointStore, 'readMany' | 'clientIds'>;
  requests: EndpointRequests;
  inspections: InspectionStore;
  wait: (ms: number) => Promise<void>;
  log: Log;
};

/** How many partners were looked at, how many could not be mended since the look before, and the first fault, if there was one. */
export type TurnCounts = { partners: number; differing: number; fault?: unknown };

/** Four questions each, so 20 a second: EventBridge answers 50, and what mends asks, too. 200 take 40 s. */
const paceMs = 200;
const mostInRun = 200;
/** Those that differed are polled in each run, so that their alarm ends when they are mended; so many at most. */
const mostAgain = 50;
/** After so many faults the bus itself is not there. */
const mostFaults = 3;
/** A slow bus may not take the whole run, or how far it came would not be noted. */
const longestMs = 90_000;

/**
 * Polls the endpoints of partners in turn, and asks for work on those that need any: what lost its message is found here. A
 * run goes on where the one before has ended, and then polls those that differed again. Who cannot be looked at is passed over
 * until the next round, so that no partner keeps another from its turn. Whom only the bus knows has a turn like a partner: its
 * record was deleted while its endpoint was made, or is of a time to which no table went back.
 */
export const pollInTurn = async (deps: TurnDeps): Promise<TurnCounts> => {
  const { atBus, ...listing } = await listAtBus(deps);
  const all = [...new Set([...(await deps.endpoints.clientIds()), ...atBus])].toSorted();
  const before = await deps.inspections.read();
  const { again, next } = turnOf(all, before);
  const { tried, needs, ...found } = { ...listing, ...(await pollEach([...next, ...again], deps)) };
  const open = all.filter((clientId) => needs.get(clientId) ?? before.differing.includes(clientId));
  const unmended = open.filter((clientId) => before.differing.includes(clientId));
  const lastClientId = next.findLast((clientId) => tried.has(clientId));
  await deps.inspections.write({
    ...before,
    ...(lastClientId !== undefined && { lastClientId }),
    differing: open,
  });
  return { partners: tried.size, differing: unmended.length, ...found };
};

/** A bus that does not list them keeps no partner from its turn. */
const listAtBus = async ({ bus }: TurnDeps): Promise<{ atBus: string[]; fault?: unknown }> => {
  try {
    return { atBus: await clientIdsAtBus(bus.client, bus.settings) };
  } catch (fault) {
    return { atBus: [], fault };
  }
};

/** Those behind the last one, from the beginning again after the end, and those that differed. */
const turnOf = (all: readonly string[], { lastClientId = '', differing }: Inspection) => {
  const again = all.filter((clientId) => differing.includes(clientId)).slice(0, mostAgain);
  const behind = all.filter((clientId) => clientId > lastClientId);
  const round = [...behind, ...all.slice(0, all.length - behind.length)];
  const next = round.filter((clientId) => !again.includes(clientId)).slice(0, mostInRun - again.length);
  return { again, next };
};

type Found = { tried: Set<string>; needs: Map<string, boolean>; fault?: unknown };

const pollEach = async (turn: readonly string[], deps: TurnDeps): Promise<Found> => {
  const found: Found = { tried: new Set(), needs: new Map() };
  const endsAtMs = deps.clock().getTime() + longestMs;
  const records = await deps.endpoints.readMany(turn);
  const faults: unknown[] = [];
  for (const clientId of turn) {
    if (faults.length === mostFaults || deps.clock().getTime() >= endsAtMs) break;
    found.tried.add(clientId);
    try {
      found.needs.set(clientId, await needsWork(clientId, records.get(clientId) ?? gone, deps));
    } catch (fault) {
      faults.push(fault);
    }
  }
  return { ...found, ...(faults.length > 0 && { fault: faults[0] }) };
};

const gone: EndpointRecord = { partner: undefined, status: undefined, isStopped: false };

/** Whether something is to be done now, or could not be done when it was last tried. */
const needsWork = async (clientId: string, record: EndpointRecord, deps: TurnDeps): Promise<boolean> => {
  const { status } = record;
  const poll = pollEndpoint(clientId, record, deps);
  const [{ step, found }] = await Promise.all([poll, deps.wait(paceMs)]);
  const isResting = step.step === 'done' || step.step === 'wait';
  if (!isResting) await deps.requests.send([{ clientId }]);
  const needs = !isResting || found.isBusy || (status !== undefined && isUnmended(status));
  if (needs)
    deps.log('endpointSeen', {
      clientId,
      reason: found.differences.join(' ') || status?.reason || step.step,
    });
  return needs;
};
