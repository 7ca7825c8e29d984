import type { TickMemory } from '../../../functions/publish-dormant/ticks.ts';
import type { EndpointStatus } from '../../../functions/shared/domain/endpoint.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { createFaults } from '../kernel/faults.ts';
import { createKernel } from '../kernel/kernel.ts';
import { portsOf } from '../kernel/ports.ts';
import { type Call, createProcesses, type Process, type Strike } from '../kernel/process.ts';
import { randomOf } from '../kernel/seeds.ts';
import { createBus } from '../service/bus.ts';
import { createDueIndex } from '../service/due-index.ts';
import { createEndpointParts } from '../service/endpoints.ts';
import { newHistory } from '../service/history.ts';
import { createKeeper } from '../service/keeper.ts';
import type { Message } from '../service/queue.ts';
import { createReceivers } from '../service/receivers.ts';
import { createService, type QueueName } from '../service/service.ts';
import { createStores } from '../service/stores.ts';
import type { WorldPlan } from './world-plan.ts';

const epochMs = Date.parse('2026-11-21T11:30:00Z');

/** What happens in the service and starts functions: tied to them by `connectTriggers`. */
type Wires = {
  changed: (before: StoredTransaction | undefined, after: StoredTransaction) => void;
  sent: (queue: QueueName, message: Message, delaySeconds: number) => void;
  buried: (letter: Message) => void;
};

/** The service of a world with all its stores, machines and partners, before anything happens in it. */
export const openService = (plan: WorldPlan) => {
  const history = newHistory(epochMs);
  const kernel = createKernel();
  const wires: Wires = { changed: () => {}, sent: () => {}, buried: () => {} };
  const random = (...part: (string | number)[]) => randomOf(plan.seed, ...part);
  const faults = createFaults({
    ...{ mode: plan.mode, kernel, random: random('faults'), untilMs: plan.activeMs },
    onHit: (what) => history.struck.push({ atMs: kernel.nowMs(), what }),
    ...(plan.clockOffMs !== undefined && { clockOffMs: plan.clockOffMs }),
  });
  const lags = random('index');
  const index = createDueIndex(kernel, () =>
    faults.hits('index-late') ? faults.someMs(1_000, 20_000) : lags.integer(5, 120),
  );
  const stores = createStores({
    ...{ kernel, history, index },
    onCommit: (before, after) => wires.changed(before, after),
    onStatus: (clientId, status) => noteStatus(clientId, status),
    ...(plan.duePage !== undefined && { duePage: plan.duePage }),
    ...(plan.pageRows !== undefined && { pageRows: plan.pageRows }),
    ...(plan.isThrottled && { isThrottled: (pk: string) => plan.isThrottled?.(pk, kernel.nowMs()) === true }),
  });
  const processes = createProcesses({
    ...{ kernel, epochMs, random: random('latency') },
    chooseSkew: faults.skewMs,
    chooseStrike: faults.chooseStrike,
    onStrike: (...struck) => history.struck.push({ atMs: kernel.nowMs(), ...inWords(...struck) }),
    onDone: stores.onDone,
    ...(plan.waitMs && { waitMs: plan.waitMs }),
  });
  const partnersNow = new Map<string, Partner>();
  const statuses = new Map<string, EndpointStatus>();
  /** Partners that are being deleted. */
  const leaving = new Set<string>();
  /** How a partner stands from now on, for who looks from outside. */
  const noteState = (clientId: string) =>
    history.partnerStates.push({
      ...{ atMs: kernel.nowMs(), clientId },
      partner: structuredClone(partnersNow.get(clientId)),
      isServed: servesFromMs(statuses.get(clientId)) <= kernel.nowMs(),
    });
  const noteStatus = (clientId: string, status: EndpointStatus) => {
    const formerMs = servesFromMs(statuses.get(clientId));
    statuses.set(clientId, structuredClone(status));
    history.statuses.push({ atMs: kernel.nowMs(), clientId, status: structuredClone(status) });
    const fromMs = servesFromMs(status);
    if (fromMs === formerMs) return;
    noteState(clientId);
    if (Number.isFinite(fromMs)) kernel.at(fromMs, () => noteState(clientId));
  };
  const spells = new Map(plan.partners.map(({ partner, spells }) => [partner.clientId, spells]));
  const receivers = createReceivers(spells, { history, random: random('receivers') });
  const endpoints = createEndpointParts({ kernel, random: random('rules') });
  const bus = createBus({
    ...{ kernel, faults, history, random: random('bus') },
    ...{ receivers, endpoints },
    ...(plan.refuses && { refuses: plan.refuses }),
    sendDeadLetter: (letter) => wires.buried(letter),
    onAttempt: () => {},
  });
  const ports = portsOf(stores.ports, processes);
  const service = createService({
    ...{ processes, ports, bus, history },
    clientIds: () => [...partnersNow.keys()],
    sendMessage: (...message) => wires.sent(...message),
    memoryOf: containersOf(plan.seed),
    ...(plan.light && { light: plan.light }),
  });
  const keepEndpoints = createKeeper({
    processes,
    ports,
    service,
    endpoints,
    receivers,
    forgets: plan.forgets,
  });
  return {
    ...{ plan, history, kernel, wires, random, faults, stores, processes, ports, service, keepEndpoints },
    ...{ partnersNow, statuses, leaving, endpoints, noteState, noteStatus },
  };
};

/** Of the world's own time. */
const servesFromMs = (status: EndpointStatus | undefined): number =>
  (status?.servesFromMs ?? Number.POSITIVE_INFINITY) - epochMs;

/**
 * Lambda runs most calls of a quiet function in one container, some in a second one, and gives it a new one now and then. By
 * the time of the call alone, so that one call more changes nothing about the others.
 */
const containersOf = (seed: number) => {
  const containers: [TickMemory, TickMemory] = [{}, {}];
  return ({ startedAtMs }: Process): TickMemory => {
    const chance = randomOf(seed, 'container', startedAtMs).integer(1, 100);
    if (chance === 1) containers[0] = {};
    return containers[chance > 85 ? 1 : 0];
  };
};

export type OpenService = ReturnType<typeof openService>;

const inWords = (process: Process, { port, method }: Call, strike: Strike) => ({
  what: `${strike.strike}${'forMs' in strike ? ` for ${strike.forMs} ms` : ''} at ${port}.${method}`,
  by: process.name,
});
