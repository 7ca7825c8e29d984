import type { Delivery } from '../../../functions/shared/domain/event/delivery.ts';
import type { TransactionEvent } from '../../../functions/shared/domain/event/event.ts';
import { isDeletedAfter } from '../../../functions/shared/domain/event/event.ts';
import type { Clock } from '../../../functions/shared/runtime/clock.ts';
import type { LedgerStore } from '../../../functions/shared/store/debounce/ledger-store.ts';
import type { TransactionReader } from '../../../functions/shared/store/transactions/reader.ts';
import { type CoalescedEvent, coalesce, gapsWithin, type StoredEvent } from './coalesce.ts';

export type ReplayDeps = {
  transactions: Pick<TransactionReader, 'byUuid'>;
  ledger: LedgerStore;
  clock: Clock;
  /** The stage's name, part of every event's id (EV-6). */
  stage: string;
};

/** What becomes of deliveries that are to be told again; those of `covers` are told by this and need nothing of their own. */
export type ReplayStep =
  /** The stored body is sent again, with its id. */
  | { step: 'again'; delivery: Delivery; covers: Delivery[] }
  /** One new event stands for several. */
  | ({ step: 'together'; clientId: string; covers: Delivery[] } & CoalescedEvent)
  /** It was told already, or is on its way. */
  | { step: 'told'; delivery: Delivery; covers: Delivery[] }
  /** What it told is not kept any more. */
  | { step: 'expired'; delivery: Delivery };

/** Deliveries of one partner and one transaction that are to be told again. */
export type ReplayRequest = {
  clientId: string;
  uuid: string;
  deliveries: readonly Delivery[];
  /** Whether what the partner has got already is sent once more. */
  repeats: boolean;
};

/** An event with its bodies, and where it stands on its way to the partner. */
type EventPart = StoredEvent & { delivery: Delivery };

/**
 * What is to be done for one transaction: its TransactionCompleted as they are, its TransactionUpdated together (events 7,
 * "resume sends one event per transaction"). What came before its deletion stays apart from what tells of it: whoever sends
 * it finds that it is nobody's any more (DEL-1).
 */
export const planTransaction = async (wanted: ReplayRequest, deps: ReplayDeps): Promise<ReplayStep[]> => {
  const { kept, expired } = await withBodies(wanted.deliveries, deps);
  const stored = await deps.transactions.byUuid(wanted.uuid);
  const isTogether = ({ event }: EventPart) => isUpdated(event) && !isDeletedAfter(event, stored);
  const alone = kept.filter((part) => !isTogether(part)).map(({ delivery }) => planAlone(delivery));
  const [first, ...others] = kept.filter(isTogether);
  return [
    ...expired.map((delivery): ReplayStep => ({ step: 'expired', delivery })),
    ...alone,
    ...(first ? [await planUpdated(wanted, [first, ...others], deps)] : []),
  ];
};

/** What is on its way is not sent a second time beside it. */
export const planAlone = (delivery: Delivery): ReplayStep => ({
  step: delivery.state === 'READY' ? 'told' : 'again',
  delivery,
  covers: [],
});

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
  wanted: ReplayRequest,
  asked: readonly [EventPart, ...EventPart[]],
  deps: ReplayDeps,
): Promise<ReplayStep> => {
  const parts: [EventPart, ...EventPart[]] = [...asked, ...(await laterThan(asked, wanted, deps))];
  const one = coalesce([...parts, ...(await missingBetween(parts, deps))], {
    stage: deps.stage,
    now: deps.clock(),
    recipients: [wanted.clientId],
  });
  const isOne = ({ delivery }: EventPart) => delivery.eventId === one.event.eventId;
  const covers = asked.filter((part) => !isOne(part)).map(({ delivery }) => delivery);
  const itself = parts.find(isOne)?.delivery;
  if (!itself) return { step: 'together', clientId: wanted.clientId, covers, ...one };
  return { step: isTold(itself, wanted) ? 'told' : 'again', delivery: itself, covers };
};

const isTold = ({ state }: Delivery, { repeats }: ReplayRequest) =>
  state === 'READY' || (!repeats && ['ACCEPTED', 'DELIVERED', 'DEAD'].includes(state));

/** The partner's other events after the first version: told along, so that no older state arrives last. */
const laterThan = async (
  asked: readonly EventPart[],
  { uuid, clientId }: ReplayRequest,
  deps: ReplayDeps,
): Promise<EventPart[]> => {
  const from = Math.min(...asked.map(({ event }) => event.from));
  const known = new Set(asked.map(({ event }) => event.eventId));
  const later: Delivery[] = [];
  for await (const delivery of deps.ledger.deliveriesOfTransaction(uuid, {})) {
    const isOther = delivery.clientId === clientId && !known.has(delivery.eventId);
    if (isOther && isUpdated(delivery) && delivery.to > from) later.push(delivery);
  }
  return (await withBodies(later, deps)).kept;
};

/**
 * Events in between that this partner did not get, so that the one event tells its range as a whole, the same to everybody
 * (EV-4, I6). Its values are those of its last version, which the partner was to hear of.
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
