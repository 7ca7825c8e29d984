import { publishTimeoutSeconds } from '../../lib/event-times.ts';
import { pollsAtOnce } from '../../lib/flush-workers.ts';
import { createFaults } from '../simulation/kernel/faults.ts';
import { createKernel } from '../simulation/kernel/kernel.ts';
import { portsOf } from '../simulation/kernel/ports.ts';
import { type Call, createProcesses, type Process } from '../simulation/kernel/process.ts';
import { randomOf } from '../simulation/kernel/seeds.ts';
import type { Bus } from '../simulation/service/bus.ts';
import { createDueIndex } from '../simulation/service/due-index.ts';
import { claimsLost, newHistory } from '../simulation/service/history.ts';
import { createQueue, type QueueDeps } from '../simulation/service/queue.ts';
import { createService } from '../simulation/service/service.ts';
import { createStores } from '../simulation/service/stores.ts';
import { aPartner, aServedEndpoint } from '../support/builders/a-partner.ts';
import { aNewTransaction, anOwner, uuidOf } from '../support/builders/transactions.ts';

/** What happens on a stage of twenty groups, each with a partner that sees it. */
type FlushPlan = {
  seed: number;
  /** How many workers there are at once. */
  workers: number;
  /** Changes in the first second, each of a transaction of its own. */
  changes: number;
};

/** What a world came to; `perSecond` counts from the first claim until the last event is completed. */
export type FlushFigures = { events: number; perSecond: number; lostClaims: number };

const groups = 20;
/** A request takes a run so long itself, one after the other; then it is on its way and back, many at once. */
const ownMs = 0.5;
/** There and back: eight milliseconds to a table, fifty to the bus. */
const wayMs = ({ port, method }: Call) => (method === 'putEvents' ? 50 : port === 'queue' ? 20 : 8);

const epochMs = Date.parse('2026-11-23T08:00:00Z');
const dormancyMs = 120_000;
const minute = 60_000;
const timeoutMs = publishTimeoutSeconds * 1_000;
const endMs = 1_000 + dormancyMs + 10 * minute;

/** Runs production's flush on a virtual clock, without faults and with an index that knows at once, until everything is sent. */
export const runFlushWorld = async ({ seed, workers, changes }: FlushPlan): Promise<FlushFigures> => {
  const kernel = createKernel();
  const history = newHistory(epochMs);
  const stores = createStores({
    kernel,
    history,
    index: createDueIndex(kernel, () => 0),
    onCommit: () => {},
  });
  const seen = { firstMs: Number.POSITIVE_INFINITY, lastMs: 0, events: 0, lostClaims: 0 };
  const busyUntil = new WeakMap<Process, number>();
  const processes = createProcesses({
    ...{ kernel, epochMs, random: randomOf(seed, 'latency') },
    ...{ chooseSkew: () => 0, chooseStrike: () => undefined, onStrike: () => {} },
    waitMs: ({ process, call, leg, nowMs }) => {
      if (leg === 'answer') return wayMs(call) / 2;
      const untilMs = Math.max(nowMs, busyUntil.get(process) ?? 0) + ownMs;
      busyUntil.set(process, untilMs);
      return untilMs - nowMs + wayMs(call) / 2;
    },
    onDone: (process, call, answer) => {
      if (call.method.startsWith('claim')) seen.firstMs = Math.min(seen.firstMs, kernel.nowMs());
      seen.lostClaims += claimsLost(call, answer);
      if (call.method === 'complete' && answer === true) {
        seen.events += 1;
        seen.lastMs = kernel.nowMs();
      }
      return stores.onDone(process, call, answer);
    },
  });

  const memory = {};
  const queues: Record<string, ReturnType<typeof createQueue>> = {};
  const service = createService({
    ...{ processes, history, ports: portsOf(stores.ports, processes) },
    bus: { putEvents: (entries: unknown[]) => entries.map(() => ({ EventId: 'taken' })) } as unknown as Bus,
    sendMessage: (queue, message, delaySeconds) => queues[queue]?.send(message, delaySeconds * 1_000),
    memoryOf: () => memory,
  });
  const publish = (event: unknown, onEnd: () => void = () => {}) =>
    processes.start(
      { kind: 'publish-dormant', timeoutMs },
      (process) => service.publishDormant(process, event),
      onEnd,
    );
  const random = randomOf(seed, 'ticks');
  const faults = createFaults({ mode: 'none', kernel, random, untilMs: 0, onHit: () => {} });
  const call: QueueDeps['call'] = (event, onEnd) => publish(event, () => onEnd({ ok: true, value: [] }));
  const common = { kernel, faults, random, call };
  queues.ticks = createQueue({ ...common, atMost: pollsAtOnce, visibilityMs: 90_000, mostReceives: 3 });
  queues.shards = createQueue({
    ...{ ...common, atMost: workers, batchSize: 1 },
    ...{ visibilityMs: timeoutMs, retentionMs: minute },
  });

  for (let number = 0; number < groups; number += 1) {
    const [group, clientId] = [`group-${number}`, `PARTNER${number}`.padEnd(26, 'X')];
    const webhookUrl = 'https://partner.example/webhooks';
    const partner = aPartner({ clientId, name: `partner-${number}`, grants: [{ group }], webhookUrl });
    await stores.partners.create({ partner, secrets: [], endpoint: aServedEndpoint() }, 'signature');
  }
  const writer = { name: 'writer' } as Process;
  const change = async (index: number, atMs: number) => {
    const [uuid, updatedAtMs] = [uuidOf(index), epochMs + atMs];
    const ndMeta = anOwner({ group: `group-${index % groups}` });
    const customer = { firstName: 'Ann', lastName: 'Example' };
    await stores.ports.transactions.create(aNewTransaction({ uuid, ndMeta, customer }, { updatedAtMs }));
    const recorded = { uuid, changed: ['customer'], dueAtMs: updatedAtMs + dormancyMs };
    await stores.ports.debounceRows.recordChange(recorded);
    await stores.onDone(
      writer,
      { port: 'debounceRows', method: 'recordChange', args: [recorded] },
      undefined,
    );
  };
  for (let index = 0; index < changes; index += 1) {
    const atMs = Math.floor((index * 1_000) / changes);
    kernel.at(atMs + 500, () => void change(index, atMs));
  }
  for (let atMs = 23_400; atMs < endMs; atMs += minute) kernel.at(atMs, () => publish({ time: 'now' }));
  for (let untilMs = 0; untilMs < endMs && seen.events < changes; untilMs += 1_000) await kernel.run(untilMs);
  const { firstMs, lastMs, ...figures } = seen;
  return { ...figures, perSecond: (figures.events * 1_000) / (lastMs - firstMs) };
};
