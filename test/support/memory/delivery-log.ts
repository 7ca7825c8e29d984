import { isDeepStrictEqual } from 'node:util';
import {
  type Delivery,
  type DeliveryKey,
  isFailure,
} from '../../../functions/shared/domain/event/delivery.ts';
import type { EventBodies, TransactionEvent } from '../../../functions/shared/domain/event/event.ts';
import { newDelivery } from '../../../functions/shared/domain/event/new-delivery.ts';
import type { Clock } from '../../../functions/shared/runtime/clock.ts';
import { type Due, resendShard } from '../../../functions/shared/store/debounce/debounce-row-store.ts';
import type {
  DeliveryLogPages,
  DeliveryLogPosition,
  DeliveryLogSpan,
  DeliveryLogStore,
} from '../../../functions/shared/store/debounce/delivery-log-store.ts';
import {
  deliveryExpiresAt,
  eventExpiresAt,
  isExpired,
  mayBePending,
} from '../../../functions/shared/store/debounce/keys.ts';

/** Used by the stand-in for debounce rows: an event that is written with a claim, and due deliveries. */
export type MemoryDeliveryLog = DeliveryLogStore &
  DeliveryLogPages & {
    /** What a claim brings. */
    put: (rows: { event: TransactionEvent; bodies: EventBodies | undefined }) => void;
    /** Every delivery of a transaction, also of events that are gone. */
    left: (uuid: string) => Delivery[];
    /** Scheduled deliveries of one shard of the due index. */
    scheduled: (shard: number) => Due[];
  };

type EventRow = { event: TransactionEvent; bodies: EventBodies | undefined; expiresAt: number };
type DeliveryRow = Delivery & { expiresAt?: number };

/** Events and deliveries over maps: a stand-in for tests. Each condition has a line of its own. */
export const createMemoryDeliveryLog = ({ clock }: { clock: Clock }): MemoryDeliveryLog => {
  const heads = new Map<string, EventRow>();
  const rows = new Map<string, DeliveryRow>();
  /** Keys of all that there was, so that a world of ten thousand events is not searched for each. */
  const eventsByUuid = new Map<string, Set<string>>();
  const rowsByEvent = new Map<string, Set<string>>();
  const isThere = (row: { expiresAt?: number }) => !isExpired(row, clock());

  const head = (eventId: string) => {
    const found = heads.get(eventId);
    return found && isThere(found) ? found : undefined;
  };
  const find = (key: DeliveryKey) => {
    const row = rows.get(textOf(key));
    return row && isThere(row) ? row : undefined;
  };
  const all = () => [...rows.values()].filter(isThere);
  const rowsOfEvent = (eventId: string) =>
    [...(rowsByEvent.get(eventId) ?? [])].flatMap((key) => rows.get(key) ?? []).filter(isThere);
  const putRow = (row: DeliveryRow) => {
    rows.set(textOf(row), structuredClone(row));
    addTo(rowsByEvent, row.eventId, textOf(row));
  };

  /** Recipients without a status entry yet. */
  const pending = (event: TransactionEvent): Delivery[] => {
    const withoutRow = event.recipients.filter(
      (clientId) => !rows.has(textOf({ eventId: event.eventId, clientId })),
    );
    return mayBePending(event, clock()) ? withoutRow.map((clientId) => newDelivery(event, clientId)) : [];
  };
  const pendingOf = ({ eventId, clientId }: DeliveryKey) => {
    const event = head(eventId)?.event;
    return event && pending(event).find((one) => one.clientId === clientId);
  };
  /** A row, or what follows from the event if there is no status entry. */
  const findOrBegin = (key: DeliveryKey): DeliveryRow | undefined => find(key) ?? pendingOf(key);

  const putEvent = (event: TransactionEvent, bodies: EventBodies | undefined) => {
    heads.set(event.eventId, structuredClone({ event, bodies, expiresAt: eventExpiresAt(event) }));
    addTo(eventsByUuid, event.uuid, event.eventId);
  };
  const putDelivery = (delivery: Delivery, atMs = clock().getTime()) => {
    const expiresAt = deliveryExpiresAt(delivery, atMs);
    putRow({ ...delivery, ...(expiresAt !== undefined && { expiresAt }) });
    return true;
  };

  /** A scheduled delivery, unless another flusher was faster. */
  const asRead = (seen: Delivery) => {
    const row = find(seen);
    const isAsRead = row?.redrives === seen.redrives && row.isStandalone === seen.isStandalone;
    const isScheduled = row?.dueAtMs !== undefined;
    return row && isAsRead && isScheduled ? row : undefined;
  };

  const deliveriesOf = (
    isWanted: (delivery: Delivery) => boolean,
    span: DeliveryLogSpan,
    among: readonly DeliveryRow[] = all(),
  ) =>
    among
      .filter((row) => isWanted(row) && isWithin(row, span))
      .sort(newestFirst)
      .map(deliveryOf);
  const eventsOf = (uuid: string) =>
    [...(eventsByUuid.get(uuid) ?? [])].flatMap((eventId) => head(eventId)?.event ?? []);
  const ofTransaction = (uuid: string): DeliveryRow[] => {
    const events = eventsOf(uuid);
    const ids = new Set(events.map(({ eventId }) => eventId));
    return [...[...ids].flatMap(rowsOfEvent), ...events.flatMap(pending)];
  };

  return {
    put: ({ event, bodies }) => putEvent(event, bodies),
    left: (uuid) =>
      [...[...(eventsByUuid.get(uuid) ?? [])].flatMap(rowsOfEvent), ...eventsOf(uuid).flatMap(pending)].map(
        deliveryOf,
      ),
    scheduled: (shard) =>
      all().flatMap(({ eventId, clientId, dueAtMs }): Due[] =>
        dueAtMs === undefined || shard !== resendShard
          ? []
          : [{ key: { kind: 'DELIVERY', eventId, clientId }, dueAtMs }],
      ),
    event: async (eventId) => {
      const found = head(eventId);
      if (!found) return undefined;
      const { event, bodies } = structuredClone(found);
      const deliveries = [...rowsOfEvent(eventId), ...pending(event)];
      return { event, bodies, deliveries: deliveries.sort(byClientId).map(deliveryOf) };
    },
    delivery: async (key) => {
      const row = findOrBegin(key);
      return row && deliveryOf(row);
    },
    addMissing: async ({ event, bodies, deliveries }) => {
      if (event && !head(event.eventId)) putEvent(event, bodies);
      for (const delivery of deliveries) {
        const isMissing = find(delivery) === undefined;
        if (isMissing) putDelivery(delivery);
      }
    },
    move: async ({ eventId, clientId, from, to, atMs, entry, history, start, seen, ...more }) => {
      const row = findOrBegin({ eventId, clientId });
      const isFirst = start !== undefined && find({ eventId, clientId }) === undefined;
      const isInState = isFirst || (row !== undefined && from.includes(row.state));
      const isAsSeen = !seen || isDeepStrictEqual(row?.timeline, seen.timeline);
      if (!row || !isInState || !isAsSeen) return false;
      const failures = row.failures + (to === 'DEAD' && isFailure(more.reason) ? 1 : 0);
      const timeline = [...(history ?? row.timeline), entry];
      return putDelivery({ ...withoutEnd(row), ...more, failures, state: to, timeline }, atMs);
    },
    refused: async (key, entry) => {
      const row = findOrBegin(key);
      if (!row) throw new Error(`The delivery log has no delivery ${textOf(key)}, which was refused`);
      const refusals = row.refusals + 1;
      putDelivery({ ...deliveryOf(row), refusals, timeline: [...row.timeline, entry] });
      return refusals;
    },
    lease: async (seen, { dueAtMs }) => {
      const row = asRead(seen);
      if (!row) return false;
      const standalone = row.isStandalone ? { isStandalone: row.isStandalone } : {};
      const redrives = row.redrives + 1;
      return putDelivery({ ...withoutEnd(row), ...standalone, state: 'READY', redrives, dueAtMs });
    },
    reschedule: async (seen, dueAtMs) => {
      const row = asRead(seen);
      return row !== undefined && putDelivery({ ...deliveryOf(row), dueAtMs });
    },
    recordAttempt: async ({ atMs, isDelivered, note, ...key }) => {
      const row = findOrBegin(key);
      if (!row) return;
      const step = isDelivered ? 'delivered' : 'attempted';
      const timeline = [...row.timeline, { atMs, step, note } as const];
      const isGivenUp = row.state === 'DEAD' || row.state === 'SUPPRESSED';
      if (isDelivered && !isGivenUp) putDelivery({ ...withoutEnd(row), timeline, state: 'DELIVERED' }, atMs);
      else putRow({ ...row, timeline });
    },
    async *deliveriesOfPartner(clientId, span) {
      yield* deliveriesOf((delivery) => delivery.clientId === clientId, span);
    },
    async *deliveriesOfTransaction(uuid, span) {
      const { clientId } = span;
      const isWanted = (delivery: Delivery) => clientId === undefined || delivery.clientId === clientId;
      yield* deliveriesOf(isWanted, span, ofTransaction(uuid));
    },
    deliveryPage: async ({ clientId, uuid, after, limit, oldestFirst = false, ...span }) => {
      const asked = uuid === undefined ? all() : ofTransaction(uuid);
      const found = deliveriesOf((row) => row.clientId === clientId, span, asked).sort(
        (one, other) => Number(isBehind(one, positionOf(other))) - Number(isBehind(other, positionOf(one))),
      );
      const inOrder = oldestFirst ? found.toReversed() : found;
      const behind = inOrder.filter(
        (row) => !after || (oldestFirst ? isBefore(row, after) : isBehind(row, after)),
      );
      const deliveries = behind.slice(0, limit);
      const last = deliveries.at(-1);
      return { deliveries, ...(behind.length > limit && last && { next: positionOf(last) }) };
    },
    async *eventsOfTransaction(uuid) {
      yield* structuredClone(eventsOf(uuid).sort(newestFirst));
    },
  };
};

const addTo = (index: Map<string, Set<string>>, key: string, value: string) => {
  const values = index.get(key) ?? new Set<string>();
  index.set(key, values.add(value));
};

const textOf = ({ eventId, clientId }: DeliveryKey) => `${eventId}/${clientId}`;

const deliveryOf = ({ expiresAt: _, ...delivery }: DeliveryRow): Delivery => structuredClone(delivery);

/** A delivery that continues: reason, schedule and requests of its last state are removed. */
const withoutEnd = (row: DeliveryRow): Delivery => {
  const { reason: _reason, dueAtMs: _due, isStandalone: _standalone, ...rest } = deliveryOf(row);
  return rest;
};

const isWithin = (
  { claimedAtMs }: Delivery,
  { sinceMs = 0, untilMs = Number.POSITIVE_INFINITY }: DeliveryLogSpan,
) => claimedAtMs >= sinceMs && claimedAtMs < untilMs;

const newestFirst = (one: { claimedAtMs: number }, other: { claimedAtMs: number }) =>
  other.claimedAtMs - one.claimedAtMs;

const positionOf = ({ claimedAtMs, eventId }: Delivery): DeliveryLogPosition => ({ claimedAtMs, eventId });

/** Whether a row comes later where the newest are first; without an event, those of its time do, too. */
const isBehind = (row: Delivery, { claimedAtMs, eventId }: DeliveryLogPosition) =>
  row.claimedAtMs < claimedAtMs ||
  (row.claimedAtMs === claimedAtMs && (eventId === undefined || row.eventId < eventId));

const isBefore = (row: Delivery, { claimedAtMs, eventId }: DeliveryLogPosition) =>
  row.claimedAtMs > claimedAtMs ||
  (row.claimedAtMs === claimedAtMs && (eventId === undefined || row.eventId > eventId));

const byClientId = (one: Delivery, other: Delivery) => (one.clientId < other.clientId ? -1 : 1);
