import type { Delivery, DeliveryState } from '../../../../functions/shared/domain/event/delivery.ts';
import type { DeliveryMove } from '../../../../functions/shared/store/debounce/delivery-log-store.ts';
import type { Note } from '../../service/history.ts';
import type { DeliveryLogEntry } from '../../service/stores.ts';
import { type Facts, type Finding, ofEvent, unless } from '../facts.ts';

/** I7: duplicates only after a fault: at most one more for each that came between the claim and the copy. */
export const duplicatesFollowFaults = (facts: Facts): Finding[] => {
  const claims = [...facts.updated.values(), ...facts.completed.values()].flat();
  const claimedAt = new Map(claims.map(({ event, atMs }) => [event.eventId, atMs]));
  return [...facts.accepted].flatMap(([eventId, sent]) =>
    [...Map.groupBy(sent, ({ clientId }) => clientId)].flatMap(([clientId, copies]) => {
      const lastMs = copies.at(-1)?.atMs ?? 0;
      const faults = faultsIn(facts, (claimedAt.get(eventId) ?? 0) - 60_000, lastMs);
      const what = `${eventId} is sent ${copies.length} times to ${clientId} after ${faults} faults`;
      const finding = { invariant: 'I7', atMs: lastMs, ...ofEvent(facts, eventId), what };
      return unless(copies.length <= 1 + faults, finding);
    }),
  );
};

/** I7 for events that are sent again on purpose: once for each time that they were scheduled, except for faults. */
export const redrivesAreSentOnce = (facts: Facts): Finding[] =>
  [...facts.again].flatMap(([eventId, sent]) =>
    [...Map.groupBy(sent, ({ clientId }) => clientId)].flatMap(([clientId, copies]) => {
      const { notes } = facts.world.history;
      const scheduled = notes.filter((note) => isScheduling(note, eventId, clientId)).length;
      const lastMs = copies.at(-1)?.atMs ?? 0;
      const faults = faultsIn(facts, (copies[0]?.atMs ?? 0) - 60_000, lastMs);
      const what = `${eventId} was scheduled ${scheduled} times for ${clientId}, sent ${copies.length} times, after ${faults} faults`;
      const finding = { invariant: 'I7', atMs: lastMs, ...ofEvent(facts, eventId), what };
      return unless(copies.length <= scheduled + faults, finding);
    }),
  );

const isScheduling = ({ call: { port, method, args }, answer }: Note, eventId: string, clientId: string) => {
  const [asked] = args as [DeliveryMove & { deliveries?: Delivery[] }];
  const isHere = (one: { eventId?: string; clientId?: string }) =>
    one.eventId === eventId && one.clientId === clientId;
  if (port !== 'deliveryLog') return false;
  if (method === 'move') return answer === true && isHere(asked) && asked.dueAtMs !== undefined;
  return (
    method === 'addMissing' &&
    asked.deliveries?.some((one) => isHere(one) && one.dueAtMs !== undefined) === true
  );
};

const faultsIn = ({ world }: Facts, fromMs: number, toMs: number) =>
  world.history.struck.filter(({ atMs, what }) => what !== 'clock-off' && atMs >= fromMs && atMs <= toMs)
    .length;

/** I8: TransactionCompleted for each 0→1, never otherwise, with one id. */
export const completionsAreNotified = (facts: Facts): Finding[] =>
  [...facts.commits].flatMap(([uuid, commits]) => {
    const completing = commits.filter(
      ({ before, after }) => before?.transaction.status === 0 && after.transaction.status === 1,
    );
    const expected = completing.map(({ after }) => `(${after.version - 1}, ${after.version}]`);
    const claims = facts.completed.get(uuid) ?? [];
    const published = claims.map(({ event }) => `(${event.from}, ${event.to}]`);
    const ids = new Set(claims.map(({ event }) => event.eventId));
    const what = `completed by ${expected || 'nothing'}, published ${published || 'nothing'}`;
    const isRight = String(published) === String(expected) && ids.size === expected.length;
    return unless(isRight, { invariant: 'I8', uuid, what });
  });

/** I16: every publication has a delivery log row that ends in a final state. */
export const rowsEnd = (facts: Facts): Finding[] => {
  const { world, updated, completed, deliveryLog, partnerAt, isServedAtEnd } = facts;
  const endMs = world.plan.activeMs + world.plan.restMs;
  const claims = [...updated.values(), ...completed.values()].flat();
  const missing = claims.flatMap(({ event, atMs }) =>
    event.recipients
      .filter(
        (clientId) => !deliveryLog.get(event.eventId)?.deliveries.some((one) => one.clientId === clientId),
      )
      .map((clientId) => ({
        ...{ invariant: 'I16', uuid: event.uuid, atMs },
        what: `${clientId} has no row of ${event.eventId}`,
      })),
  );
  const isKept = (clientId: string) =>
    partnerAt(clientId, endMs)?.webhookPaused !== undefined || !isServedAtEnd(clientId);
  const open = world.left.events.flatMap(({ event, deliveries }) =>
    deliveries
      .filter(({ state, clientId }) => state === 'READY' || (state === 'HELD' && !isKept(clientId)))
      .map(({ state, clientId }) => ({
        ...{ invariant: 'I16', uuid: event.uuid },
        what: `${event.eventId} for ${clientId} is still ${state}`,
      })),
  );
  return [...missing, ...open];
};

export type Reconciliation = Record<'made' | 'delivered' | 'failed' | 'withheld' | 'difference', number>;

const kindOf: Record<DeliveryState, 'delivered' | 'failed' | 'withheld' | 'open'> = {
  READY: 'open',
  HELD: 'withheld',
  ACCEPTED: 'delivered',
  DELIVERED: 'delivered',
  DEAD: 'failed',
  SUPPRESSED: 'withheld',
};

/** Whom an event was made for, and whom it was replayed to: two partners may be notified one range together, by one event. */
const partnersOf = ({ event, deliveries }: DeliveryLogEntry) =>
  new Set([...event.recipients, ...deliveries.map(({ clientId }) => clientId)]);

/** TH-23: events made = delivered + failed + withheld, an event counted once for each of its partners. */
export const reconciliationOf = ({ world }: Facts): Reconciliation => {
  const made = world.left.events.reduce((sum, one) => sum + partnersOf(one).size, 0);
  const states = world.left.events.flatMap(({ deliveries }) => deliveries.map(({ state }) => kindOf[state]));
  const count = (kind: string) => states.filter((one) => one === kind).length;
  const ended = { delivered: count('delivered'), failed: count('failed'), withheld: count('withheld') };
  return { made, ...ended, difference: made - ended.delivered - ended.failed - ended.withheld };
};

/** TH-23: the difference is 0. */
export const deliveryLogAddsUp = (facts: Facts): Finding[] => {
  const sums = reconciliationOf(facts);
  return unless(sums.difference === 0, { invariant: 'TH-23', what: JSON.stringify(sums) });
};
