import type {
  Delivery,
  DeliveryState,
  StatusEntry,
} from '../../../functions/shared/domain/event/delivery.ts';
import { type EventType, isChainType } from '../../../functions/shared/domain/event/event.ts';
import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import { isClientId } from '../../../functions/shared/domain/partner.ts';
import type { DeliveryLogSpan } from '../../../functions/shared/store/debounce/delivery-log-store.ts';
import type { OperatorDeps } from '../deps.ts';
import { findPartner } from '../partners/partners.ts';
import { deliveryStatusOf } from './delivery-status.ts';

/** A partner in the delivery log. A deleted partner's name is its client id. */
export type Recipient = { clientId: string; name: string };

/** Finds a partner by name or client id. Events outlive partners, so any well-formed client id is accepted (TH-23). */
export const findRecipient = async (
  nameOrId: string,
  deps: OperatorDeps,
): Promise<Outcome<Recipient, 'no-recipient'>> => {
  const found = await findPartner(nameOrId, deps);
  if (found.ok) return found;
  if (!isClientId(nameOrId)) return refuse('no-recipient');
  return succeed({ clientId: nameOrId, name: nameOrId });
};

/** The name of every partner by its client id. */
export const partnerNames = async ({
  partners,
}: Pick<OperatorDeps, 'partners'>): Promise<ReadonlyMap<string, string>> =>
  new Map((await partners.all()).map(({ clientId, name }) => [clientId, name]));

/** Which deliveries to list. */
export type DeliveryFilter = DeliveryLogSpan & {
  clientId?: string;
  uuid?: string;
  state?: DeliveryState;
  type?: EventType;
};

/** Deliveries, newest first: of one partner, of one transaction, or of all partners. */
export async function* deliveriesBy(
  { clientId, uuid, state, type, ...span }: DeliveryFilter,
  deps: Pick<OperatorDeps, 'deliveryLog' | 'partners'>,
): AsyncGenerator<Delivery> {
  for await (const delivery of await sourceOf({ clientId, uuid, span }, deps)) {
    const isWanted =
      (clientId === undefined || delivery.clientId === clientId) &&
      (state === undefined || delivery.state === state) &&
      (type === undefined || delivery.type === type);
    if (isWanted) yield delivery;
  }
}

const sourceOf = async (
  { clientId, uuid, span }: { clientId: string | undefined; uuid: string | undefined; span: DeliveryLogSpan },
  { deliveryLog, partners }: Pick<OperatorDeps, 'deliveryLog' | 'partners'>,
) => {
  if (uuid !== undefined) return deliveryLog.deliveriesOfTransaction(uuid, span);
  if (clientId !== undefined) return deliveryLog.deliveriesOfPartner(clientId, span);
  const all = await partners.all();
  return newestFirst(all.map((partner) => deliveryLog.deliveriesOfPartner(partner.clientId, span)));
};

/** Merges lists that are each sorted newest first. */
async function* newestFirst(lists: readonly AsyncIterable<Delivery>[]): AsyncGenerator<Delivery> {
  const iterators = lists.map((list) => list[Symbol.asyncIterator]());
  const nextEntries = await Promise.all(iterators.map((iterator) => iterator.next()));
  for (;;) {
    const open = nextEntries.flatMap((entry, index) =>
      entry.done ? [] : [{ delivery: entry.value, index }],
    );
    const [newest] = open.toSorted((one, other) => other.delivery.claimedAtMs - one.delivery.claimedAtMs);
    const iterator = newest && iterators[newest.index];
    if (!newest || !iterator) return;
    yield newest.delivery;
    nextEntries[newest.index] = await iterator.next();
  }
}

/** A delivery in the tool's output. `names` maps client ids to names of partners. */
export const toDeliveryView = (delivery: Delivery, names: ReadonlyMap<string, string>, nowMs: number) => {
  const { eventId, clientId, type, uuid, from, to, state, reason, claimedAtMs, dueAtMs } = delivery;
  const event = { eventId, type, from, to, claimedAtMs };
  return {
    ...{ eventId, partner: names.get(clientId) ?? clientId, clientId, type, uuid, from, to, state },
    reason: reason ?? null,
    code: deliveryStatusOf(delivery, event, nowMs).code,
    changedAt: isoOrNull(delivery.timeline.find(({ step }) => step === 'changed')?.atMs),
    claimedAt: new Date(claimedAtMs).toISOString(),
    dueAt: isoOrNull(dueAtMs),
  };
};

/** A delivery in a list. */
export type DeliveryView = ReturnType<typeof toDeliveryView>;

const isoOrNull = (atMs: number | undefined) => (atMs === undefined ? null : new Date(atMs).toISOString());

/**
 * A delivery's timeline, sorted by time. The moment of dormancy is not stored and is added here (EV-1), except for events
 * that are sent at once.
 */
export const timelineOf = (
  { timeline, type, claimedAtMs }: Delivery,
  dormancyMs: number,
): (Omit<StatusEntry, 'step'> & { step: StatusEntry['step'] | 'dormant' })[] => {
  const changed = timeline.find(({ step }) => step === 'changed');
  const dormantAtMs = (changed?.atMs ?? Number.POSITIVE_INFINITY) + dormancyMs;
  const hasWaited = isChainType(type) && dormantAtMs <= claimedAtMs;
  const dormant = hasWaited ? [{ atMs: dormantAtMs, step: 'dormant' } as const] : [];
  // The bus's clock may be ahead of the clock that recorded the acceptance.
  return [...timeline, ...dormant].toSorted((one, other) => one.atMs - other.atMs);
};
