import type { Evidence, Life, PartnerChange, State } from '../oracle/evidence.ts';
import type { Arrival, Commit } from '../service/history.ts';
import { source } from '../service/service.ts';
import { type Facts, graceMs, skewMs } from './facts.ts';
import { limits, repairedWithinMs } from './invariants/timing.ts';

/** What the oracle is shown of a world: what came in and what went out, in its own words. */
export const evidenceOf = (facts: Facts): Evidence => {
  const { history, plan, left } = facts.world;
  return {
    epochMs: history.epochMs,
    lives: livesOf(facts),
    partners: history.partnerStates.map((state) => plainOf(state) as PartnerChange),
    publications: [...facts.updated.values(), ...facts.completed.values()]
      .flat()
      .map(({ atMs, event: { eventId, uuid, recipients } }) => ({
        ...{ atMs, id: eventId, uuid, clientIds: recipients },
      })),
    sent: sentOf(facts),
    received: history.arrivals.filter(({ answer }) => answer.startsWith('2')).map(receivedOf),
    refused: history.refused.map(({ clientId, uuid, delivery: { id, from, to } }) => ({
      ...{ id, clientId, uuid, from: Number(from), to: Number(to) },
    })),
    unwell: new Set(
      plan.partners.filter(({ spells }) => spells.length > 0).map(({ partner }) => partner.clientId),
    ),
    lostRecords: new Set(history.lostRecords.map(({ uuid }) => uuid)),
    deliveryLog: left.events.flatMap(({ event: { type, from, to }, deliveries }) =>
      deliveries.map(({ eventId, clientId, uuid, state, reason }) => ({
        ...{ id: eventId, clientId, uuid, type, from, to, state },
        ...(reason !== undefined && { reason }),
      })),
    ),
    terms: termsOf(facts),
  };
};

const plainOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const livesOf = ({ commits, world: { plan, history } }: Facts): Life[] => {
  const begun = new Map(plan.acts.flatMap((one) => (one.act === 'begin' ? [[one.uuid, one.how]] : [])));
  return [...commits].map(([uuid, states]) => ({
    uuid,
    beganAs: begun.get(uuid) ?? 'entered',
    changes: states.map(({ atMs, after }: Commit) => ({
      ...{ atMs, writtenMs: after.updatedAtMs - history.epochMs },
      state: plainOf(after.transaction) as State,
    })),
  }));
};

const sentOf = ({ world, again }: Facts): Evidence['sent'] => {
  const isAgain = new Set([...again.values()].flat());
  return world.history.accepted.map((one) => {
    const { atMs, clientId, eventId: id, detailType: type, from, to, omitted, message: body } = one;
    return { atMs, clientId, id, type, from, to, omitted, body, isAgain: isAgain.has(one) };
  });
};

const receivedOf = ({ atMs, clientId, body, headers }: Arrival) => ({
  ...{ atMs, clientId, body },
  id: headers['Idempotency-Key'] ?? '',
  from: Number(headers['X-Transaction-From-Version']),
  to: Number(headers['X-Transaction-Version']),
  omitted: headers['X-Transaction-Omitted'] ?? '',
});

const termsOf = (facts: Facts): Evidence['terms'] => {
  const { mode, updatedWithinMs } = facts.world.plan;
  const common = {
    ...{ source, graceMs: graceMs(facts), skewMs: skewMs(facts) },
    // A writer that is paused ends with its function.
    writeMs: mode === 'none' ? 2_000 : 16_000,
  };
  if (mode === 'many') return common;
  const updatedMs = updatedWithinMs ?? limits.updated[mode];
  return {
    ...common,
    within: { updatedMs, completedMs: limits.completed[mode], lostRecordMs: repairedWithinMs },
  };
};
