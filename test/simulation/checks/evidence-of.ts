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
    publications: [
      ...facts.sendings
        .filter(({ isAgain }) => !isAgain)
        .map(({ atMs, eventId, uuid, clientId }) => ({ atMs, id: eventId, uuid, clientIds: [clientId] })),
      ...facts.tellings.map(({ atMs, row: { uuid } }) => ({ atMs, id: uuid, uuid, clientIds: [] })),
    ],
    sent: sentOf(facts),
    received: history.arrivals.filter(({ answer }) => answer.startsWith('2')).map(receivedOf),
    refused: history.refused.map(({ clientId, uuid, delivery: { id, from, to } }) => ({
      ...{ id, clientId, uuid, from: Number(from), to: Number(to) },
    })),
    unwell: new Set(
      plan.partners.filter(({ spells }) => spells.length > 0).map(({ partner }) => partner.clientId),
    ),
    lostRecords: new Set(history.lostRecords.map(({ uuid }) => uuid)),
    // Whoever is behind, and why.
    owed: left.rows.flatMap((row) => {
      if (row.kind !== 'BACKLOG') return [];
      const { uuid, clientId, reason, from, completed } = row;
      const common = { clientId, uuid, reason };
      return [
        ...(from === undefined
          ? []
          : [{ ...common, type: 'TransactionUpdated', from, to: Number.POSITIVE_INFINITY }]),
        ...(completed === undefined
          ? []
          : [{ ...common, type: 'TransactionCompleted', from: completed - 1, to: completed }]),
      ];
    }),
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

const sentOf = ({ sendings }: Facts): Evidence['sent'] =>
  sendings.map((one) => {
    const { atMs, clientId, eventId: id, detailType: type, from, to, omitted, message: body, isAgain } = one;
    return { atMs, clientId, id, type, from, to, omitted, body, isAgain };
  });

const receivedOf = ({ atMs, clientId, body, headers }: Arrival) => ({
  ...{ atMs, clientId, body },
  id: headers['Idempotency-Key'] ?? '',
  from: Number(headers['X-Transaction-From-Version']),
  to: Number(headers['X-Transaction-Version']),
  omitted: headers['X-Transaction-Omitted'] ?? '',
});

const termsOf = (facts: Facts): Evidence['terms'] => {
  const { mode, updatedWithinMs, completedWithinMs } = facts.world.plan;
  const common = {
    ...{ source, graceMs: graceMs(facts), skewMs: skewMs(facts) },
    // A writer that is paused ends with its function.
    writeMs: mode === 'none' ? 2_000 : 16_000,
  };
  // While everything is stopped nothing is promised.
  if (mode === 'many' || facts.world.plan.stops) return common;
  const updatedMs = updatedWithinMs ?? limits.updated[mode];
  return {
    ...common,
    within: {
      ...{ updatedMs, lostRecordMs: repairedWithinMs },
      completedMs: completedWithinMs ?? limits.completed[mode],
    },
  };
};
