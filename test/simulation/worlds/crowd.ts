import type { Process, WaitMs } from '../kernel/process.ts';
import { owners } from './estate.ts';
import { type PartnerPlan, partnerPlan } from './partner-program.ts';
import { type Planned, transactionUuid } from './program.ts';

/** Partners that see a group and want nothing but events. */
export const listeners = (count: number, group = 'G1'): PartnerPlan[] =>
  Array.from({ length: count }, (_, index) => {
    const plan = partnerPlan(0, index, { untilMs: 0, isRestless: false, isFrail: false });
    const clientId = `LISTENER${index}`.padEnd(26, 'X');
    const webhookUrl = `https://hooks.example/listener-${index}`;
    const partner = { ...plan.partner, clientId, name: `listener-${index}`, grants: [{ group }], webhookUrl };
    return { ...plan, partner };
  });

/** Transactions that come into being in the same second, each with a pending change. */
export const manyAtOnce = (count: number, { fromMs = 0, group = 'G1' } = {}): Planned[] =>
  Array.from({ length: count }, (_, index): Planned => {
    const owner = owners.find((one) => one.group === group);
    if (!owner) throw new Error(`No owner is of group ${group}`);
    const uuid = transactionUuid(fromMs, `many ${index}`);
    const body = { vehicle: { make: `make ${index}` } };
    return { atMs: fromMs + (index % 1_000), uuid, act: 'begin', how: 'entered', owner, body };
  });

/** Each request takes this time of its invocation, one after the other. Transfers run concurrently. */
export const waitsOf = ({ ownMs, wayMs }: { ownMs: number; wayMs: number }): WaitMs => {
  const busyUntil = new WeakMap<Process, number>();
  return ({ process, leg, nowMs }) => {
    if (leg === 'answer') return wayMs;
    const untilMs = Math.max(nowMs, busyUntil.get(process) ?? 0) + ownMs;
    busyUntil.set(process, untilMs);
    return untilMs - nowMs + wayMs;
  };
};
