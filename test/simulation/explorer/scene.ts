import type { DueRow } from '../../../functions/shared/domain/event/debounce-row.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { DebounceRowStore } from '../../../functions/shared/store/debounce/debounce-row-store.ts';
import { aPartner, aServedEndpoint } from '../../support/builders/a-partner.ts';
import { createFaults, type FaultMode } from '../kernel/faults.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { portsOf } from '../kernel/ports.ts';
import type { Call, Process, Processes, ProcessKind } from '../kernel/process.ts';
import { randomOf } from '../kernel/seeds.ts';
import { createBus } from '../service/bus.ts';
import { createDueIndex } from '../service/due-index.ts';
import { newHistory } from '../service/history.ts';
import { createReceivers } from '../service/receivers.ts';
import { createService } from '../service/service.ts';
import { createStores } from '../service/stores.ts';
import type { World } from '../worlds/world.ts';
import type { Explorer } from './explorer.ts';

const epochMs = Date.parse('2026-11-21T11:30:00Z');

/** Calls that touch nothing that a scenario is about are carried out at once: each step more doubles the orders. */
const isApart = ({ port, method }: Call) => method === 'due' || port === 'requests' || port === 'queue';

/**
 * One transaction and its partners, small enough for every order of the calls around it. Nothing has a latency: an
 * explorer chooses what happens next, and time passes when the scenario says so.
 */
export const openScene = (explorer: Explorer, { mode, uuid }: { mode: FaultMode; uuid: string }) => {
  const history = newHistory(epochMs);
  let nowMs = 0;
  let isFree = true;
  const kernel: Pick<Kernel, 'nowMs' | 'at' | 'after'> & Kernel = {
    nowMs: () => nowMs,
    at: (_, action) => action(),
    after: (_, action) => action(),
    run: async () => {},
    happened: () => 0,
  };
  const random = randomOf(1, 'scene');
  const faults = createFaults({ mode: 'none', kernel, random, untilMs: 0, onHit: () => {} });
  const records: StoredTransaction[] = [];
  const index = createDueIndex(kernel, () => 0);
  const stores = createStores({
    ...{ kernel, history, index },
    onCommit: (_, after) => records.push(after),
  });
  const partnersNow = new Map<string, Partner>();
  const bus = createBus({
    ...{ kernel, random, faults, history },
    receivers: createReceivers(new Map(), { history, random }),
    endpoints: { addressOf: (clientId) => partnersNow.get(clientId)?.webhookUrl, isTaken: () => true },
    sendDeadLetter: () => {},
    onAttempt: () => {},
  });

  /** Each call at an instant of its own. */
  const carryOut = async <Answer>(process: Process, call: Call, perform: () => Promise<Answer>) => {
    // Between the last look at the clock and the request there is only the function's timeout.
    if (call.method === 'putEvents' && nowMs > process.endsAtMs) process.isDead = true;
    if (process.isDead) return new Promise<Answer>(() => {});
    nowMs += 1;
    const answer = await perform();
    await stores.onDone(process, call, answer);
    return answer;
  };
  const processes: Processes = {
    start: () => {
      throw new Error('A scene begins its processes itself');
    },
    step: (process, call, perform) => {
      const work = () => carryOut(process, call, perform);
      return isFree || isApart(call) ? work() : explorer.step(process, work);
    },
    clockOf: (process) => () => new Date(epochMs + nowMs + process.skewMs),
    sleep: async () => {},
    epochMs,
  };
  const service = createService({
    processes,
    ports: portsOf(stores.ports, processes),
    bus,
    history,
    sendMessage: () => {},
    memoryOf: () => ({}),
  });

  const process = (kind: ProcessKind, name: string): Process => ({
    ...{ name, kind, skewMs: 0, startedAtMs: nowMs, endsAtMs: nowMs + 15_000 },
    ...{ isDead: false, frozenUntilMs: 0 },
  });
  const call = (name: string, body: string) =>
    service.publishDormant(process('publish-dormant', name), { Records: [{ body, messageId: name }] });
  const flush = (name: string) => call(name, '-');
  const setPartner = async (after: Partner) => {
    const before = partnersNow.get(after.clientId);
    if (before) await stores.partners.update({ before, after });
    else
      await stores.partners.create({ partner: after, secrets: [], endpoint: aServedEndpoint() }, 'signature');
    partnersNow.set(after.clientId, after);
    history.partnerStates.push({ atMs: nowMs, clientId: after.clientId, partner: after, isServed: true });
  };
  const recordChanges = async (name: string) => {
    const one = process('capture-change', name);
    const { debounceRows } = portsOf(stores.ports, processes)(one);
    // A record that no process has worked on comes again.
    for (let [record] = records; record; [record] = records) {
      await recordChangeOf(record, debounceRows.recordChange);
      records.splice(records.indexOf(record), 1);
    }
  };

  return {
    ...{ history, service, process, flush, setPartner, recordChanges, stores, partnersNow },
    /** The sender is notified of a completion. */
    publishCompletion: (name: string) => call(name, `completed ${uuid}`),
    portsOf: (one: Process) => portsOf(stores.ports, processes)(one),
    clockOf: processes.clockOf,
    nowMs: () => nowMs,
    /** Time passes; what it does to a waiting task is a fault. */
    pass: (ms: number, what?: string) => {
      nowMs += ms;
      if (what) history.struck.push({ atMs: nowMs, what });
    },
    noteDeath: (by: string) => history.struck.push({ atMs: nowMs, what: 'dies', by, uuid }),
    /** What a standalone replay works with, and the deliveries that there are. */
    replaying: async (ofUuid: string) => {
      const deps = service.sendingAgain(process('operator', 'operator'));
      const { events } = await stores.everythingOf([ofUuid]);
      return { deps, deliveries: events.flatMap((one) => one.deliveries) };
    },
    /** A step of its own in the order. */
    step: (name: string, work: () => Promise<void> | void) => {
      const one = process('operator', name);
      const call = { port: 'scene', method: name, args: [] };
      return processes.step(one, call, async () => work());
    },
    recordAgain: async (name: string, stored: StoredTransaction) => {
      const { debounceRows } = portsOf(stores.ports, processes)(process('capture-change', name));
      await recordChangeOf(stored, debounceRows.recordChange);
    },
    /** Everything before is over without a choice; from here on each call is one. */
    begin: () => {
      isFree = false;
    },
    /** The rest without choices: records arrive, and due rows are flushed, until nothing is left. */
    comeToRest: async (uuids: readonly string[]): Promise<World> => {
      isFree = true;
      await recordChanges('stream at the end');
      for (let flushes = 0; flushes < 40; flushes += 1) {
        const { dueRows, deliveries } = await stores.everythingOf(uuids);
        const due = [...dueRows.flatMap(pollsAtMs), ...deliveries.flatMap(({ dueAtMs }) => dueAtMs ?? [])];
        if (due.length === 0) break;
        nowMs = Math.max(nowMs, Math.min(...due) - epochMs) + 1;
        await flush(`flush at the end ${flushes}`);
      }
      const left = await stores.everythingOf(uuids);
      const partners = [...partnersNow.values()].map((partner) => ({
        ...{ partner, isThere: true, measures: [], spells: [] },
      }));
      const plan = {
        ...{ seed: 0, mode, activeMs: nowMs, restMs: 0, acts: [], partners, isEmbedded: false },
        ...{ graceMs: 10, skewMs: 0 },
      };
      return { plan, history, atTenMinutes: left, left, endpoints: [], happened: 0 };
    },
  };
};

/** When a poll finds work at a row: when it is due, or, if it is in flight, when its lease has ended as well. */
const pollsAtMs = ({ dueAtMs, inflight }: DueRow): number[] =>
  dueAtMs === undefined ? [] : [Math.max(dueAtMs, inflight?.leasedUntilMs ?? 0)];

export type Scene = ReturnType<typeof openScene>;

/** What `capture-change` makes of a record. */
const recordChangeOf = (
  { transaction: { uuid }, updatedAtMs }: StoredTransaction,
  recordChange: DebounceRowStore['recordChange'],
) => recordChange({ uuid, changed: [], dueAtMs: updatedAtMs + 120_000 });

/** The partner that is notified in scenes. */
export const listener = (letter: string): Partner =>
  aPartner({
    clientId: `PARTNER${letter}`.padEnd(26, 'X'),
    name: `partner-${letter}`,
    grants: [{ group: 'group-a' }],
    webhookUrl: `https://hooks.example/${letter}`,
  });
