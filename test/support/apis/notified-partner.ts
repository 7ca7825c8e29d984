import { nextState } from '../../../functions/shared/domain/transaction/next-state.ts';
import type { Transaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { BusEntry } from '../../../functions/shared/outbound/event-bus.ts';
import { flushDue } from '../../../functions/shared/publish/flush.ts';
import { directoryOver } from '../memory/partners.ts';
import { aBus, aPublishing } from '../memory/publishing.ts';
import { aV2Partner } from './v2-partner.ts';

/** A partner's own endpoints beside the way of a change: written, recorded, rested, flushed, and with the bus. */
export const aNotifiedPartner = async (world: Parameters<typeof aV2Partner>[0] = {}) => {
  const own = await aV2Partner(world);
  const { time, transactions, debounceRows } = own;
  const clock = () => time.now;
  const bus = aBus();
  const deps = aPublishing({ ...own, partners: directoryOver(own.partners), bus, clock });

  const pass = (seconds: number) => {
    time.now = new Date(time.now.getTime() + seconds * 1000);
  };
  /** What the next tick gives to the bus. */
  const flush = async (): Promise<BusEntry[]> => {
    bus.taken.length = 0;
    await flushDue(deps, { beginUntilMs: time.now.getTime() + 15_000 });
    return [...bus.taken];
  };
  /** Changes a transaction as a write does; its event is due when it has rested. */
  const change = async (uuid: string, changes: Partial<Transaction>) => {
    const before = await transactions.byUuid(uuid);
    const after = before && nextState(before, { ...before.transaction, ...changes }, time.now);
    if (!before || !after) return;
    await transactions.replace(before, after);
    const nowMs = time.now.getTime();
    await debounceRows.recordChange({ uuid, changed: [], dueAtMs: nowMs + 120_000 });
  };
  /** Changes it, lets it rest, and gives its event to the bus. */
  const changeAndNotify = async (uuid: string, changes: Partial<Transaction>) => {
    await change(uuid, changes);
    pass(125);
    return flush();
  };
  return { ...own, pass, flush, change, changeAndNotify };
};
