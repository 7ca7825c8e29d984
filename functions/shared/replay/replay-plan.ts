import type { Delivery } from '../domain/event/delivery.ts';
import { isDeletedAfter, type TransactionEvent } from '../domain/event/event.ts';
import { isOnItsWay, isUnnoted } from '../domain/event/new-delivery.ts';
import type { Clock } from '../runtime/clock.ts';
import { eventLifetimeMs, type LedgerStore } from '../store/debounce/ledger-store.ts';
import type { TransactionReader } from '../store/transactions/reader.ts';
import { type CoalescedEvent, coalesce, gapsWithin, type StoredEvent } from './coalesce.ts';

/** The stores that a replay reads and writes. */
export type ReplayDeps = {
  transactions: Pick<TransactionReader, 'byUuid'>;
  ledger: LedgerStore;
  clock: Clock;
  /** The stage's name, which is part of every event's id (EV-6). */
  stage: string;
};

/** What to do with a delivery that is to be sent again. The deliveries in `covers` are told by this step and need no other. */
export type ReplayStep =
  /** Send the stored body again, with its id; on its own, whatever was sent since, where a person asked for just this one. */
  | { step: 'again'; delivery: Delivery; covers: Delivery[]; isAlone?: true }
  /** Send one new event for several. */
  | ({ step: 'together'; clientId: string; covers: Delivery[] } & CoalescedEvent)
  /** Nothing: it was sent already, or is on its way. */
  | { step: 'told'; delivery: Delivery; covers: Delivery[] }
  /** Nothing: its body is not kept any more. */
  | { step: 'expired'; delivery: Delivery };

/** Deliveries of one transaction to one partner that are to be sent again. */
export type ReplayRequest = {
  clientId: string;
  uuid: string;
  deliveries: readonly Delivery[];
  /** Whether to send what the partner has received already. */
  repeats: boolean;
};

/** An event with its bodies and its delivery to the partner. */
type EventPart = StoredEvent & { delivery: Delivery };

/**
 * Plans one transaction: each TransactionCompleted as it is, all TransactionUpdated as one. Events from before a deletion
 * stay apart from the events after it: when one is sent, the flush finds that no partner may receive it any more (DEL-1).
 */
export const planTransaction = async (request: ReplayRequest, deps: ReplayDeps): Promise<ReplayStep[]> => {
  const { kept, expired } = await withBodies(request.deliveries, deps);
  const stored = await deps.transactions.byUuid(request.uuid);
  const isTogether = ({ event }: EventPart) => isUpdated(event) && !isDeletedAfter(event, stored);
  const nowMs = deps.clock().getTime();
  const alone = kept.filter((part) => !isTogether(part)).map(({ delivery }) => planAlone(delivery, nowMs));
  const [first, ...others] = kept.filter(isTogether);
  return [
    ...expired.map((delivery): ReplayStep => ({ step: 'expired', delivery })),
    ...alone,
    ...(first ? [await planUpdated(request, [first, ...others], deps)] : []),
  ];
};

/** Plans a single delivery. One that is on its way is not sent a second time, and what has no body any more not at all. */
export const planAlone = (delivery: Delivery, nowMs: number): ReplayStep => {
  if (isOnItsWay(delivery, nowMs)) return { step: 'told', delivery, covers: [] };
  const isKept = nowMs < delivery.claimedAtMs + eventLifetimeMs;
  return isKept ? { step: 'again', delivery, covers: [] } : { step: 'expired', delivery };
};

const isUpdated = ({ type }: Pick<TransactionEvent, 'type'>) => type === 'TransactionUpdated';

const withBodies = async (deliveries: readonly Delivery[], { ledger }: ReplayDeps) => {
  const kept: EventPart[] = [];
  const expired: Delivery[] = [];
  for (const delivery of deliveries) {
    const found = await ledger.event(delivery.eventId);
    if (found?.bodies) kept.push({ event: found.event, bodies: found.bodies, delivery });
    else expired.push(delivery);
  }
  return { kept, expired };
};

const planUpdated = async (
  request: ReplayRequest,
  asked: readonly [EventPart, ...EventPart[]],
  deps: ReplayDeps,
): Promise<ReplayStep> => {
  const parts: [EventPart, ...EventPart[]] = [...asked, ...(await laterThan(asked, request, deps))];
  const one = coalesce([...parts, ...(await missingBetween(parts, deps))], {
    stage: deps.stage,
    now: deps.clock(),
    recipients: [request.clientId],
  });
  const isOne = ({ delivery }: EventPart) => delivery.eventId === one.event.eventId;
  const covers = asked.filter((part) => !isOne(part)).map(({ delivery }) => delivery);
  const itself = parts.find(isOne)?.delivery;
  if (!itself) return { step: 'together', clientId: request.clientId, covers, ...one };
  return { step: isTold(itself, request) ? 'told' : 'again', delivery: itself, covers };
};

/** An event that only a replay brings is on its way where that is noted; else what it covers would end, and nothing leave. */
const isTold = (delivery: Delivery, { repeats }: ReplayRequest) =>
  delivery.state === 'READY'
    ? !isUnnoted(delivery)
    : !repeats && ['ACCEPTED', 'DELIVERED', 'DEAD'].includes(delivery.state);

/** The partner's other events after the first version. They are sent along, so that no older state arrives last. */
const laterThan = async (
  asked: readonly EventPart[],
  { uuid, clientId }: ReplayRequest,
  deps: ReplayDeps,
): Promise<EventPart[]> => {
  const from = Math.min(...asked.map(({ event }) => event.from));
  const known = new Set(asked.map(({ event }) => event.eventId));
  const later: Delivery[] = [];
  for await (const delivery of deps.ledger.deliveriesOfTransaction(uuid, { clientId })) {
    const isOther = !known.has(delivery.eventId);
    if (isOther && isUpdated(delivery) && delivery.to > from) later.push(delivery);
  }
  return (await withBodies(later, deps)).kept;
};

/**
 * Events in between that this partner did not get. The new event must tell its whole range, the same to every partner
 * (I6); its values are those of its last version, which this partner may see.
 */
const missingBetween = async (
  parts: readonly [EventPart, ...EventPart[]],
  { ledger }: ReplayDeps,
): Promise<StoredEvent[]> => {
  const gaps = gapsWithin(parts.map(({ event }) => event));
  if (gaps.length === 0) return [];
  const from = Math.min(...parts.map(({ event }) => event.from));
  const to = Math.max(...parts.map(({ event }) => event.to));
  const missing: StoredEvent[] = [];
  for await (const event of ledger.eventsOfTransaction(parts[0].event.uuid)) {
    const isWithin = from <= event.from && event.to <= to;
    const isMissing = gaps.some((gap) => event.from < gap.to && gap.from < event.to);
    if (!isUpdated(event) || !isWithin || !isMissing) continue;
    missing.push({ event, bodies: (await ledger.event(event.eventId))?.bodies });
  }
  return missing;
};
