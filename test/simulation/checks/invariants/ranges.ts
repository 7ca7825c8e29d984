import { type Facts, type Finding, ofEvent, skewMs, unless } from '../facts.ts';

/** I1: published ranges (from, to] join without gap per transaction. */
export const rangesJoin = ({ updated, commits }: Facts): Finding[] =>
  [...updated].flatMap(([uuid, claims]) =>
    claims.flatMap(({ event, atMs }, index) => {
      const first = commits.get(uuid)?.[event.to - 1]?.after.notifyFromVersion ?? 1;
      const reached = claims[index - 1]?.event.to ?? first - 1;
      const isPassedOver = commits.get(uuid)?.[event.from - 1]?.after.transaction.isDeleted === 1;
      const what = `an event begins after version ${event.from}, not ${reached}`;
      return unless(event.from === reached || isPassedOver, { invariant: 'I1', uuid, atMs, what });
    }),
  );

/** I1, I16, TH-23: what a partner did not receive, its row says; what it says was taken, was taken. */
export const rowsAreRight = (facts: Facts): Finding[] => {
  const { history, plan } = facts.world;
  const delivered = new Set(
    history.arrivals
      .filter(({ answer }) => answer.startsWith('2'))
      .map(({ clientId, headers }) => `${headers['Idempotency-Key']}/${clientId}`),
  );
  const taken = new Set(history.accepted.map(({ eventId, clientId }) => `${eventId}/${clientId}`));
  return facts.world.left.events.flatMap(({ event, deliveries }) =>
    deliveries.flatMap(({ clientId, state, reason }) => {
      const name = `${event.eventId}/${clientId}`;
      const saysTaken = state === 'ACCEPTED' || state === 'DELIVERED';
      const wrong = [
        ...(saysTaken && !taken.has(name) ? ['the bus never took it'] : []),
        ...(saysTaken && !delivered.has(name) ? ['its endpoint never took it'] : []),
        ...(state === 'DELIVERED' && !plan.isEmbedded ? ['nobody could know that'] : []),
        ...((state === 'DEAD' || state === 'SUPPRESSED') && !reason ? ['it says no reason'] : []),
      ];
      return wrong.map((what) => ({
        invariant: 'I1',
        uuid: event.uuid,
        what: `${name} is ${state}, but ${what}`,
      }));
    }),
  );
};

/** I4: one in flight. The next claim comes after the last one is completed. */
export const oneInFlight = ({ updated, completed, world }: Facts): Finding[] =>
  [...updated.values(), ...completed.values()].flatMap((claims) =>
    claims.flatMap(({ event, atMs, key: { uuid } }, index) => {
      const next = claims[index + 1];
      const completed = world.history.completedSends.find(
        (one) => one.eventId === event.eventId && one.atMs >= atMs,
      );
      if (!next) return [];
      const what = `claimed while ${event.eventId} is in flight`;
      const isCompleted = completed !== undefined && next.atMs >= completed.atMs;
      return unless(isCompleted, { invariant: 'I4', uuid, atMs: next.atMs, what });
    }),
  );

/** Twelve seconds to begin, and six that two tries take. */
const sentWithinMs = 18_000;

/** I4: a sender holds a lease, and has held it for less than it lasts. */
export const sendersHoldALease = (facts: Facts): Finding[] => {
  const leases = Map.groupBy(facts.world.history.leases, ({ by, eventId }) => `${by}/${eventId}`);
  return [...facts.accepted.values()].flat().flatMap(({ by, eventId, clientId, atMs }) => {
    const lease = leases.get(`${by}/${eventId}`)?.findLast((one) => one.atMs <= atMs);
    const held = lease ? `${atMs - lease.atMs} ms after its lease began` : 'without a lease';
    const what = `${by} sends ${eventId} to ${clientId} ${held}`;
    const isHeld = lease !== undefined && atMs - lease.atMs <= sentWithinMs;
    return unless(isHeld, { invariant: 'I4', atMs, ...ofEvent(facts, eventId), what });
  });
};

/**
 * I4: a row in flight is scheduled for the end of its lease at the latest, so that the same index finds a crashed send.
 * A payment's write and its claim may be of two clocks.
 */
export const flightsKeepTheirLease = (facts: Facts): Finding[] =>
  facts.world.history.strayed.flatMap(({ atMs, key: { uuid, kind }, dueAtMs, leasedUntilMs }) => {
    const isInTime = dueAtMs !== undefined && dueAtMs <= leasedUntilMs + skewMs(facts);
    const what = `${kind} is in flight, and due at ${dueAtMs ?? 'no time'}`;
    return unless(isInTime, { invariant: 'I4', uuid, atMs, what });
  });
