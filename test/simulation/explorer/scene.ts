import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { newPass } from '../../../functions/shared/events/passes.ts';
import type { Pass, Row } from '../../../functions/shared/events/rows.ts';
import { type DebounceTable, shardOf } from '../../../functions/shared/events/table.ts';
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
const isApart = ({ port, method }: Call) => method === 'due' || ['requests', 'queue', 'stop'].includes(port);

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
    clientIds: () => [...partnersNow.keys()],
    memoryOf: () => ({}),
  });

  const process = (kind: ProcessKind, name: string): Process => ({
    ...{ name, kind, skewMs: 0, startedAtMs: nowMs, endsAtMs: nowMs + 15_000 },
    ...{ isDead: false, frozenUntilMs: 0 },
  });
  const call = (name: string, body: string) =>
    service.publishDormant(process('publish-dormant', name), { Records: [{ body, messageId: name }] });
  const flush = (name: string) => call(name, '-');
  /** A worker's turn of a partner's passes. */
  const turn = (name: string, clientId: string) =>
    call(name, `shard ${shardOf({ kind: 'PASS', clientId, id: '' })}`);
  let passesPut = 0;
  const leavePass = (
    clientId: string,
    does: Pass['does'],
    { after, ...more }: Pick<Pass, 'sinceMs' | 'after'> = {},
  ) => {
    passesPut += 1;
    const made = { newId: () => String(passesPut), leaseMs: 20_000 };
    const pass = newPass({ clientId, does, ...more }, epochMs + nowMs, made);
    return stores.leave({ ...pass, ...(after !== undefined && { after }) });
  };
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
    const { table } = portsOf(stores.ports, processes)(one);
    // A record that no process has worked on comes again.
    for (let [record] = records; record; [record] = records) {
      await recordChangeOf(record, table.recordChange);
      records.splice(records.indexOf(record), 1);
    }
  };

  return {
    ...{ history, service, process, flush, setPartner, recordChanges, stores, partnersNow, turn, leavePass },
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
    /** A step of its own in the order. */
    step: (name: string, work: () => Promise<void> | void) => {
      const one = process('operator', name);
      const call = { port: 'scene', method: name, args: [] };
      return processes.step(one, call, async () => work());
    },
    recordAgain: async (name: string, stored: StoredTransaction) => {
      const { table } = portsOf(stores.ports, processes)(process('capture-change', name));
      await recordChangeOf(stored, table.recordChange);
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
        const { rows, passes } = await stores.everythingOf(uuids);
        const due = [...rows, ...passes].flatMap(pollsAtMs);
        if (due.length === 0) break;
        // A pass may wait for the lease of another one.
        const pollMs = passes.length > 0 ? 5_000 : 0;
        nowMs = Math.max(nowMs + pollMs, Math.min(...due) - epochMs) + 1;
        await flush(`flush at the end ${flushes}`);
        for (const { clientId } of passes) await turn(`turn at the end ${flushes}`, clientId);
      }
      const left = await stores.everythingOf(uuids);
      const partners = [...partnersNow.values()].map((partner) => ({
        ...{ partner, isThere: true, measures: [], spells: [] },
      }));
      const plan = {
        ...{ seed: 0, mode, activeMs: nowMs, restMs: 0, acts: [], partners },
        ...{ graceMs: 10, skewMs: 0 },
      };
      return { plan, history, atTenMinutes: left, left, endpoints: [], happened: 0 };
    },
  };
};

/** When a poll finds work at a row: when it is due, or, if it is leased, when its lease has ended as well. */
const pollsAtMs = ({ dueAtMs, leasedUntilMs = 0 }: Pick<Row, 'dueAtMs' | 'leasedUntilMs'>): number[] =>
  dueAtMs === undefined ? [] : [Math.max(dueAtMs, leasedUntilMs)];

export type Scene = ReturnType<typeof openScene>;

/** What `capture-change` makes of a record. */
const recordChangeOf = (
  { transaction: { uuid }, updatedAtMs }: StoredTransaction,
  recordChange: DebounceTable['recordChange'],
) => recordChange({ uuid, changed: [], dueAtMs: updatedAtMs + 120_000 });

/** The partner that is notified in scenes. */
export const listener = (letter: string): Partner =>
  aPartner({
    clientId: `PARTNER${letter}`.padEnd(26, 'X'),
    name: `partner-${letter}`,
    grants: [{ group: 'G1' }],
    webhookUrl: `https://hooks.example/${letter}`,
  });
