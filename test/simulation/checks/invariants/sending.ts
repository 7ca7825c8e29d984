import type { Delivery } from '../../../../functions/shared/domain/event/delivery.ts';
import type { DeliveryMove } from '../../../../functions/shared/store/debounce/delivery-log-store.ts';
import type { Note } from '../../service/history.ts';
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

/** I16, TH-23: every publication has a delivery log row for each recipient that ends in a final state. */
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

/** EV-12, I2: an endpoint that is well gets no version after a later one, and none before its transaction has rested. */
export const nothingOlderArrives = ({ world: { history, plan }, commits }: Facts): Finding[] => {
  if (plan.mode !== 'none') return [];
  const unwell = plan.partners
    .filter(({ spells }) => spells.length > 0)
    .map(({ partner }) => partner.clientId);
  const newest = new Map<string, number>();
  const updates = history.arrivals.filter(
    ({ clientId, body }) => body.includes('"TransactionUpdated"') && !unwell.includes(clientId),
  );
  return updates.flatMap(({ clientId, body, headers, atMs }) => {
    const uuid = String(JSON.parse(body).detail.uuid);
    const to = Number(headers['X-Transaction-Version']);
    const known = newest.get(`${clientId} ${uuid}`) ?? 0;
    newest.set(`${clientId} ${uuid}`, Math.max(known, to));
    const changed = commits.get(uuid)?.find(({ after }) => after.version === to);
    const restMs = atMs - (changed?.atMs ?? 0);
    return [
      ...unless(to >= known, { invariant: 'EV-12', uuid, atMs, what: `version ${to} comes after ${known}` }),
      ...unless(restMs >= 119_000, { invariant: 'I2', uuid, atMs, what: `${to} is sent after ${restMs} ms` }),
    ];
  });
};
