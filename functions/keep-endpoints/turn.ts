import { isUnmended } from '../shared/domain/endpoint-status.ts';
import { clientIdsAtBus } from '../shared/outbound/endpoint/state.ts';
import type { EndpointRequests } from '../shared/outbound/endpoint-requests.ts';
import type { Log } from '../shared/runtime/logger.ts';
import type { EndpointRecord, EndpointStore } from '../shared/store/partners/endpoints.ts';
import type { Inspection, InspectionStore } from '../shared/store/partners/inspection.ts';
import { type PollDeps, pollEndpoint } from './keep.ts';

export type TurnDeps = PollDeps & {
  endpoints: Pick<EndpointStore, 'readMany' | 'clientIds'>;
  requests: EndpointRequests;
  inspections: InspectionStore;
  wait: (ms: number) => Promise<void>;
  log: Log;
};

/** Partners that were polled, how many of them already differed at the poll before, and the first fault, if any. */
export type TurnCounts = { partners: number; differing: number; fault?: unknown };

/** Four requests a partner make 20 a second. EventBridge allows 50, and changes need some. 200 partners take 40 s. */
const paceMs = 200;
const mostInRun = 200;
/** Partners that differed are polled in every run, so that their alarm ends soon after they are mended. */
const mostAgain = 50;
/** After this many faults the bus counts as unavailable. */
const mostFaults = 3;
/** Leaves time to write the progress, even if the bus is slow. */
const longestMs = 90_000;

/**
 * Polls endpoints in turn, and sends a message for each that needs work: this finds partners whose message was lost. A
 * run goes on where the one before ended, and polls again those that differed. A partner whose poll fails waits for the
 * next round, so that it delays no other. Partners that only the bus knows are polled, too: their record was deleted
 * while the endpoint was made, or is missing after a restore.
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

/** A failed listing delays no poll. */
const listAtBus = async ({ bus }: TurnDeps): Promise<{ atBus: string[]; fault?: unknown }> => {
  try {
    return { atBus: await clientIdsAtBus(bus.client, bus.settings) };
  } catch (fault) {
    return { atBus: [], fault };
  }
};

/** The partners after the last one, going round at the end, and those that differed. */
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

/** Whether there is something to do now, or the last try failed. */
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
