import type { Delivery } from '../shared/domain/event/delivery.ts';
import { type KnownFacts, mayKnowOf, mayKnowUpTo } from '../shared/domain/event/readable-event.ts';
import type { Partner } from '../shared/domain/partner.ts';
import type { StoredTransaction } from '../shared/domain/transaction/transaction.ts';
import { isTransactionUuid } from '../shared/domain/transaction/transaction-uuid.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import {
  type DeliveryLogPages,
  type DeliveryLogPosition,
  type DeliveryLogStore,
  deliveryLifetimeMs,
} from '../shared/store/debounce/delivery-log-store.ts';
import type { EventFilter, EventQuery } from './event-query.ts';
import { eventStateOf } from './event-state.ts';

export type EventReadDeps = {
  deliveryLog: Pick<DeliveryLogStore, 'event' | 'delivery'> & DeliveryLogPages;
  /** The existing ones, including deleted ones, strongly consistent. */
  transactionsOf: (uuids: readonly string[]) => Promise<ReadonlyMap<string, StoredTransaction>>;
  clock: Clock;
};

/** `next` is where to continue. A page before the end may have fewer events than requested, even none. */
export type EventPage = { deliveries: Delivery[]; next?: DeliveryLogPosition };

/**
 * The number of rows that one request reads, whatever it finds: 4 queries, 4 reads of rows, 4 of owners. For a
 * transaction, each read also skips events of others, as far as the delivery log's page goes.
 */
const rowsAtOnce = 50;
const mostReads = 4;

/** The last 30 days, because a delivery is stored for that long after its end. */
export const firstMsOf = ({ sinceMs = 0 }: Pick<EventFilter, 'sinceMs'>, nowMs: number) =>
  Math.max(sinceMs, nowMs - deliveryLifetimeMs);

/** A page of a partner's events, newest first, each checked by its present transaction (GRANT-2). */
export const readEventPage = async (
  partner: Partner,
  { filter, perPage, after }: Pick<EventQuery, 'filter' | 'perPage' | 'after'>,
  deps: EventReadDeps,
): Promise<EventPage> => {
  const asked = await pagesAskedOf(partner, filter, deps);
  const deliveries: Delivery[] = [];
  let place = after;
  for (let read = 1; asked && read <= mostReads; read += 1) {
    const page = await deps.deliveryLog.deliveryPage({
      ...asked,
      limit: rowsAtOnce,
      ...(place && { after: place }),
    });
    const found = await readableOf(partner, page.deliveries.filter(matching(filter)), deps);
    const taken = found.slice(0, perPage - deliveries.length);
    deliveries.push(...taken);
    place = taken.length < found.length ? positionOf(taken) : page.next;
    if (!place || deliveries.length === perPage) break;
  }
  return { deliveries, ...(asked && place && { next: place }) };
};

/** Reads no events of a transaction that the partner may not see, so that the cost shows nothing about them. */
export const pagesAskedOf = async (
  { clientId, grants }: Partner,
  filter: EventFilter,
  deps: EventReadDeps,
) => {
  const sinceMs = firstMsOf(filter, deps.clock().getTime());
  const { transaction: uuid } = filter;
  if (uuid === undefined) return { clientId, sinceMs };
  if (!isTransactionUuid(uuid)) return undefined;
  const stored = (await deps.transactionsOf([uuid])).get(uuid);
  return mayKnowUpTo(stored?.version ?? 0, stored, grants) ? { clientId, sinceMs, uuid } : undefined;
};

const positionOf = (taken: readonly Delivery[]): DeliveryLogPosition | undefined => {
  const last = taken.at(-1);
  return last && { claimedAtMs: last.claimedAtMs, eventId: last.eventId };
};

export const matching =
  ({ type, state }: EventFilter) =>
  (delivery: Delivery): boolean =>
    (type === undefined || delivery.type === type) &&
    (state === undefined || eventStateOf(delivery) === state);

type Judged = KnownFacts & Pick<Delivery, 'uuid'>;

/** The events that the partner may read now, in their order. */
export const readableOf = async <Row extends Judged>(
  partner: Partner,
  rows: readonly Row[],
  deps: Pick<EventReadDeps, 'transactionsOf'>,
): Promise<Row[]> => (await judge(partner, rows, deps)).readable;

/** The same, with the transactions by which they were checked. */
export const judge = async <Row extends Judged>(
  { grants }: Partner,
  rows: readonly Row[],
  { transactionsOf }: Pick<EventReadDeps, 'transactionsOf'>,
) => {
  const stored = await transactionsOf(rows.flatMap(({ uuid }) => (uuid === '' ? [] : [uuid])));
  return { readable: rows.filter((row) => mayKnowOf(row, stored.get(row.uuid), grants)), stored };
};
