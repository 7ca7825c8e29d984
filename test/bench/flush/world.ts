import type { DueRowKey } from '../../../functions/shared/domain/event/debounce-row.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { publishTimeoutSeconds } from '../../../lib/event-times.ts';
import { pollsAtOnce } from '../../../lib/flush-workers.ts';
import { createFaults } from '../../simulation/kernel/faults.ts';
import { createKernel, type Kernel } from '../../simulation/kernel/kernel.ts';
import { type Ports, portsOf } from '../../simulation/kernel/ports.ts';
import { type Call, createProcesses, type Process, type Processes } from '../../simulation/kernel/process.ts';
import { randomOf } from '../../simulation/kernel/seeds.ts';
import type { Bus } from '../../simulation/service/bus.ts';
import { createDueIndex } from '../../simulation/service/due-index.ts';
import { claimsLost, claimsMade, newHistory } from '../../simulation/service/history.ts';
import { createQueue, type Message, type QueueDeps } from '../../simulation/service/queue.ts';
import { createService, type QueueName } from '../../simulation/service/service.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { createMemoryDebounceRows } from '../../support/memory/debounce-rows.ts';
import { createMemoryDeliveryLog } from '../../support/memory/delivery-log.ts';

/** What happens on a stage of twenty groups, each with a partner that sees it. */
export type FlushPlan = {
  seed: number;
  /** How many workers there are at once. */
  workers: number;
  /** Changes in the first second, each of a transaction of its own. */
  changes: number;
};

/** What a world came to; `perSecond` counts from the first claim until the last event is completed. */
export type FlushFigures = { events: number; perSecond: number; lostClaims: number; runs: number };

const groups = 20;
/** A request takes a run so long itself, one after the other; then it is on its way and back, many at once. */
const ownMs = 0.5;
/** There and back: eight milliseconds to a table, fifty to the bus. */
const wayMs = ({ port, method }: Call) => (method === 'putEvents' ? 50 : port === 'queue' ? 20 : 8);

const epochMs = Date.parse('2026-11-23T08:00:00Z');
const dormancyMs = 120_000;
const minute = 60_000;
const endMs = 1_000 + dormancyMs + 10 * minute;

/** Runs production's flush on a virtual clock, without faults, until everything is sent. */
export const runFlushWorld = async (plan: FlushPlan): Promise<FlushFigures> => {
  const kernel = createKernel();
  const { change, seen } = openWorld(plan, kernel);
  kernel.at(0, change);
  for (let fromMs = 0; fromMs < endMs && seen.completed < plan.changes; fromMs += 1_000)
    await kernel.run(fromMs);
  return {
    ...{ events: seen.completed, perSecond: (seen.completed * 1_000) / (seen.lastMs - seen.firstMs) },
    ...{ lostClaims: seen.lost, runs: seen.runs.size },
  };
};

const openWorld = (plan: FlushPlan, kernel: Kernel) => {
  const seen = {
    firstMs: Number.POSITIVE_INFINITY,
    lastMs: 0,
    completed: 0,
    lost: 0,
    runs: new Set<string>(),
  };
  const stores = openStores(kernel);
  const processes = openProcesses(plan, kernel, (process, call, answer) => {
    if (call.method.startsWith('claim')) seen.firstMs = Math.min(seen.firstMs, kernel.nowMs());
    seen.lost += claimsLost(call, answer);
    if (call.method === 'complete' && answer === true) {
      seen.completed += 1;
      seen.lastMs = kernel.nowMs();
      seen.runs.add(process.name);
    }
    return stores.follow(call, answer);
  });
  const queues: { send: SendMessage } = { send: () => {} };
  const memory = {};
  const service = createService({
    ...{ processes, ports: portsOf(stores.ports, processes), history: newHistory(epochMs) },
    bus: { putEvents: (entries: unknown[]) => entries.map(() => ({ EventId: 'taken' })) } as unknown as Bus,
    sendMessage: (...message) => queues.send(...message),
    memoryOf: () => memory,
  });
  const start = (event: unknown, onEnd: () => void = () => {}) =>
    processes.start(
      { kind: 'publish-dormant', timeoutMs: publishTimeoutSeconds * 1_000 },
      (process) => service.publishDormant(process, event),
      onEnd,
    );
  queues.send = openQueues(plan, kernel, start);
  for (let atMs = 23_400; atMs < endMs; atMs += minute) kernel.at(atMs, () => start({ time: 'now' }));

  const change = () => {
    for (let index = 0; index < plan.changes; index += 1) {
      const uuid = uuidOf(index);
      const atMs = Math.floor((index * 1_000) / plan.changes);
      stores.write(uuid, epochMs + atMs);
      kernel.at(atMs + 500, () => void record(uuid, epochMs + atMs));
    }
  };
  const record = async (uuid: string, changedAtMs: number) => {
    const recorded = { uuid, changed: ['customer'], changedAtMs, dueAtMs: changedAtMs + dormancyMs };
    await stores.ports.debounceRows.recordChange(recorded);
    await stores.follow({ port: 'debounceRows', method: 'recordChange', args: [recorded] }, undefined);
  };
  return { change, seen };
};

type SendMessage = (queue: QueueName, message: Message, delaySeconds: number) => void;

const openQueues = (
  { seed, workers }: FlushPlan,
  kernel: Kernel,
  start: (event: unknown, onEnd: () => void) => void,
): SendMessage => {
  const random = randomOf(seed, 'ticks');
  const faults = createFaults({ mode: 'none', kernel, random, untilMs: 0, onHit: () => {} });
  const call: QueueDeps['call'] = (event, onEnd) => start(event, () => onEnd({ ok: true, value: [] }));
  const common = { kernel, faults, random, call };
  const queues = {
    ticks: createQueue({ ...common, atMost: pollsAtOnce, visibilityMs: 90_000, mostReceives: 3 }),
    shards: createQueue({
      ...{ ...common, atMost: workers, batchSize: 1 },
      ...{ visibilityMs: publishTimeoutSeconds * 1_000, retentionMs: minute },
    }),
  };
  return (queue, message, delaySeconds) => {
    if (queue !== 'ticks' && queue !== 'shards') throw new Error(`Nothing goes to ${queue} here`);
    queues[queue].send(message, delaySeconds * 1_000);
  };
};

const openProcesses = (
  { seed }: FlushPlan,
  kernel: Kernel,
  onDone: (process: Process, call: Call, answer: unknown) => void,
): Processes => {
  const busyUntil = new WeakMap<Process, number>();
  return createProcesses({
    ...{ kernel, epochMs, random: randomOf(seed, 'latency'), onDone },
    ...{ chooseSkew: () => 0, chooseStrike: () => undefined, onStrike: () => {} },
    waitMs: ({ process, call, leg, nowMs }) => {
      if (leg === 'answer') return wayMs(call) / 2;
      const untilMs = Math.max(nowMs, busyUntil.get(process) ?? 0) + ownMs;
      busyUntil.set(process, untilMs);
      return untilMs - nowMs + wayMs(call) / 2;
    },
  });
};

const openStores = (kernel: Kernel) => {
  const clock = () => new Date(epochMs + kernel.nowMs());
  const partners = partnersByGroup();
  const changedAt = new Map<string, number>();
  const index = createDueIndex(kernel, () => 0);
  const deliveryLog = createMemoryDeliveryLog({ clock });
  const versionOf = (uuid: string) => (changedAt.has(uuid) ? 1 : undefined);
  const debounceRows = createMemoryDebounceRows({ versionOf, deliveryLog, clock });
  const byUuid = (uuid: string) => transactionOf(uuid, changedAt.get(uuid));
  const ports = {
    transactions: {
      byUuid: async (uuid: string) => byUuid(uuid),
      byUuids: async (uuids: readonly string[]) => new Map(uuids.map((uuid) => [uuid, byUuid(uuid)])),
    },
    partners: {
      ofOwners: async (owners: readonly ({ group: string } | undefined)[]) => [
        ...new Set(owners.flatMap((owner) => partners.get(owner?.group ?? '') ?? [])),
      ],
      byClientIds: async (ids: readonly string[]) =>
        new Map(
          [...partners.values()]
            .filter(({ clientId }) => ids.includes(clientId))
            .map((one) => [one.clientId, one]),
        ),
    },
    debounceRows: { ...debounceRows, due: async (...asked: [number, number, number]) => index.due(...asked) },
    deliveryLog,
  } as unknown as Ports;
  const followed: ReadonlySet<string> = new Set([
    ...['recordChange', 'renewLease', 'complete', 'reschedule', 'unschedule', 'passOver'],
  ]);
  return {
    ports,
    write: (uuid: string, atMs: number) => changedAt.set(uuid, atMs),
    /** The index knows at once; how late it may be, the simulation tries. */
    follow: async (call: Call, answer: unknown) => {
      const [first] = call.args;
      const isOfOne = call.port === 'debounceRows' && followed.has(call.method);
      const changed = isOfOne ? [first as DueRowKey] : claimsMade(call, answer).map(({ key }) => key);
      for (const { uuid, kind = 'NOTIFY' } of changed) {
        const key = { uuid, kind } as DueRowKey;
        index.follow(key, (await debounceRows.get(key))?.dueAtMs);
      }
    },
  };
};

const groupOf = (uuid: string) => `group-${Number.parseInt(uuid.slice(0, 8), 16) % groups}`;

const partnersByGroup = (): Map<string, Partner> =>
  new Map(
    Array.from({ length: groups }, (_, number) => {
      const [group, clientId] = [`group-${number}`, `PARTNER${number}`.padEnd(26, 'X')];
      const webhookUrl = 'https://partner.example/webhooks';
      return [group, aPartner({ clientId, name: `partner-${number}`, grants: [{ group }], webhookUrl })];
    }),
  );

const template = aNewTransaction({ customer: { firstName: 'Ann', lastName: 'Example' } });

const transactionOf = (uuid: string, updatedAtMs = 0): StoredTransaction => ({
  ...template,
  ...{ sequenceNumber: 1, version: 1, updatedAtMs },
  elementVersions: { ...template.elementVersions, customer: 1 },
  transaction: { ...template.transaction, uuid, ndMeta: anOwner({ group: groupOf(uuid) }) },
});
