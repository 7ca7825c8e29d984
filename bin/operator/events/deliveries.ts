import type {
  Delivery,
  DeliveryState,
  TimelineEntry,
} from '../../../functions/shared/domain/event/delivery.ts';
import type { EventType } from '../../../functions/shared/domain/event/event.ts';
import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import type { LedgerSpan } from '../../../functions/shared/store/debounce/ledger-store.ts';
import type { OperatorDeps } from '../deps.ts';
import { findPartner } from '../partners/partners.ts';
import { deliveryStatusOf } from './delivery-status.ts';

/** A partner as the ledger knows it; one that was deleted is named by its client id alone. */
export type Recipient = { clientId: string; name: string };

/** By name or client id; its events outlive a deleted partner, and are found by the id (TH-23). */
export const findRecipient = async (
  nameOrId: string,
  deps: OperatorDeps,
): Promise<Outcome<Recipient, 'no-recipient'>> => {
  const found = await findPartner(nameOrId, deps);
  if (found.ok) return found;
  if (!/^[A-Za-z0-9]{26}$/.test(nameOrId)) return refuse('no-recipient');
  return succeed({ clientId: nameOrId, name: nameOrId });
};

/** Client ids mean little to people. */
export const partnerNames = async ({
  partners,
}: Pick<OperatorDeps, 'partners'>): Promise<ReadonlyMap<string, string>> =>
  new Map((await partners.all()).map(({ clientId, name }) => [clientId, name]));

export type DeliveryFilter = LedgerSpan & {
  clientId?: string;
  uuid?: string;
  state?: DeliveryState;
  type?: EventType;
};

/** Deliveries, newest first: of a partner, of a transaction, or of all partners that there are. */
export async function* deliveriesBy(
  { clientId, uuid, state, type, ...span }: DeliveryFilter,
  deps: Pick<OperatorDeps, 'ledger' | 'partners'>,
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
  { clientId, uuid, span }: { clientId: string | undefined; uuid: string | undefined; span: LedgerSpan },
  { ledger, partners }: Pick<OperatorDeps, 'ledger' | 'partners'>,
) => {
  if (uuid !== undefined) return ledger.deliveriesOfTransaction(uuid, span);
  if (clientId !== undefined) return ledger.deliveriesOfPartner(clientId, span);
  const all = await partners.all();
  return newestFirst(all.map((partner) => ledger.deliveriesOfPartner(partner.clientId, span)));
};

/** Joins lists that are newest first each. */
export async function* newestFirst(lists: readonly AsyncIterable<Delivery>[]): AsyncGenerator<Delivery> {
  const iterators = lists.map((list) => list[Symbol.asyncIterator]());
  const heads = await Promise.all(iterators.map((iterator) => iterator.next()));
  for (;;) {
    const open = heads.flatMap((head, index) => (head.done ? [] : [{ delivery: head.value, index }]));
    const [newest] = open.toSorted((one, other) => other.delivery.claimedAtMs - one.delivery.claimedAtMs);
    const iterator = newest && iterators[newest.index];
    if (!newest || !iterator) return;
    yield newest.delivery;
    heads[newest.index] = await iterator.next();
  }
}

/** What may be shown of a delivery; names of partners by client id. */
export const toDeliveryView = (delivery: Delivery, names: ReadonlyMap<string, string>, nowMs: number) => {
  const { eventId, clientId, type, uuid, from, to, state, reason, claimedAtMs, dueAtMs } = delivery;
  const made = { eventId, type, from, to, claimedAtMs };
  return {
    ...{ eventId, partner: names.get(clientId) ?? clientId, clientId, type, uuid, from, to, state },
    reason: reason ?? null,
    code: deliveryStatusOf(delivery, made, nowMs).code,
    changedAt: isoOrNull(delivery.timeline.find(({ step }) => step === 'changed')?.atMs),
    claimedAt: new Date(claimedAtMs).toISOString(),
    dueAt: isoOrNull(dueAtMs),
  };
};
export type DeliveryView = ReturnType<typeof toDeliveryView>;

const isoOrNull = (atMs: number | undefined) => (atMs === undefined ? null : new Date(atMs).toISOString());

/**
 * A delivery's timeline in the order of time, with the moment at which the transaction had rested (EV-1), which nobody
 * writes down. A completion waits for nothing.
 */
export const timelineOf = (
  { timeline, type, claimedAtMs }: Delivery,
  dormancyMs: number,
): (Omit<TimelineEntry, 'step'> & { step: TimelineEntry['step'] | 'dormant' })[] => {
  const changed = timeline.find(({ step }) => step === 'changed');
  const dormantAtMs = (changed?.atMs ?? Number.POSITIVE_INFINITY) + dormancyMs;
  const hasWaited = type === 'TransactionUpdated' && dormantAtMs <= claimedAtMs;
  const dormant = hasWaited ? [{ atMs: dormantAtMs, step: 'dormant' } as const] : [];
  // The bus's own clock may be ahead of who tells that it was given the event.
  return [...timeline, ...dormant].toSorted((one, other) => one.atMs - other.atMs);
};
