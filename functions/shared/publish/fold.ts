import { isDueAt, waitsForNewerUntilMs } from '../domain/event/debounce-row.ts';
import { type Delivery, isGivenUp, isOfChain } from '../domain/event/delivery.ts';
import { type ChainType, eventIdOf, isDeletedAfter, type VersionRange } from '../domain/event/event.ts';
import { scheduledDelivery } from '../domain/event/new-delivery.ts';
import { presentEvent } from '../domain/event/present-event.ts';
import type { StoredTransaction } from '../domain/transaction/transaction.ts';
import { endSuperseded, makeDue } from '../replay/make-due.ts';
import type { DeliveryLogEvent } from '../store/debounce/delivery-log-store.ts';
import type { PublishDeps } from './publish-deps.ts';

/** What happens to a retry or replay that is due. */
export type ResendPlan = { step: 'as-stored' } | { step: 'wait'; dueAtMs: number } | Fold;

/** One event with the present values, for this delivery and the partner's other scheduled ones (`covers`). */
export type Fold = {
  step: 'fold';
  type: ChainType;
  stored: StoredTransaction;
  range: VersionRange;
  covers: Delivery[];
};

/**
 * Plans a retry or replay (EV-12). Completions, tests and standalone replays are sent as stored. So is an event from before
 * a deletion: its check withholds it (DEL-1).
 */
export const planResend = async (
  delivery: Delivery,
  nowMs: number,
  deps: PublishDeps,
): Promise<ResendPlan> => {
  const { uuid } = delivery;
  if (!isOfChain(delivery)) return { step: 'as-stored' };
  const debounceRow = await deps.debounceRows.get({ uuid, kind: 'NOTIFY' });
  const stored = await deps.transactions.byUuid(uuid);
  if (!stored || isDeletedAfter(delivery, stored)) return { step: 'as-stored' };
  const dueAtMs =
    debounceRow && waitsForNewerUntilMs(debounceRow, stored, { nowMs, settings: deps.settings });
  if (dueAtMs !== undefined) return { step: 'wait', dueAtMs };
  const covers = await othersScheduled(delivery, stored, deps);
  const from = Math.min(...[delivery, ...covers].map((one) => one.from));
  return { step: 'fold', type: delivery.type, stored, range: { from, to: stored.version }, covers };
};

/** All tries of a delivery happen within two days of its claim. */
const lookBackMs = 48 * 60 * 60 * 1000;
/** Five thousand events. Older deliveries are folded when they are due themselves. */
const mostPages = 5;

const othersScheduled = async (
  { uuid, clientId, eventId, claimedAtMs }: Delivery,
  stored: StoredTransaction,
  { deliveryLog }: PublishDeps,
): Promise<Delivery[]> => {
  const others: Delivery[] = [];
  const span = { clientId, sinceMs: claimedAtMs - lookBackMs, atMostPages: mostPages };
  for await (const one of deliveryLog.deliveriesOfTransaction(uuid, span)) {
    const isScheduled = one.dueAtMs !== undefined && one.eventId !== eventId && one.to <= stored.version;
    if (isScheduled && isOfChain(one) && !isDeletedAfter(one, stored)) others.push(one);
  }
  return others;
};

/**
 * Makes the one event due, then ends what it covers, so that an invocation that dies in between loses nothing (I1). Returns
 * the event to send now, or undefined if another flusher has it or it was sent. If nothing newer was sent, that event is the
 * delivery's own.
 */
export const fold = async (
  delivery: Delivery,
  plan: Fold,
  deps: PublishDeps,
): Promise<DeliveryLogEvent | undefined> => {
  const eventId = eventIdOf(deps.stage, plan.type, delivery.uuid, plan.range);
  const isItsOwn = eventId === delivery.eventId;
  const leased = isItsOwn ? delivery : await leaseEvent(eventId, { delivery, plan }, deps);
  if (!isItsOwn) await endSuperseded(delivery, eventId, deps);
  for (const one of plan.covers) if (one.eventId !== eventId) await endCovered(one, eventId, deps);
  return leased && eventOf(leased, plan, deps);
};

type ForEvent = { delivery: Delivery; plan: Fold };

/** Makes a delivery of the event due and leases it. */
const leaseEvent = async (
  eventId: string,
  { delivery, plan }: ForEvent,
  deps: PublishDeps,
): Promise<Delivery | undefined> => {
  const { deliveryLog, clock, settings } = deps;
  const present = await deliveryLog.delivery({ eventId, clientId: delivery.clientId });
  // An invocation that died has made the event of this delivery. It was sent, or it is sent when it is due (I7), unless the
  // bus gave it up.
  if (present && !isGivenUp(present) && lastStepMs(present) >= lastStepMs(delivery)) return undefined;
  if (present && !(await makeDue(present, deps))) return undefined;
  const due = present ?? (await addEvent({ delivery, plan }, deps));
  const isLeased = await deliveryLog.lease(due, { dueAtMs: clock().getTime() + settings.leaseMs });
  return isLeased ? { ...due, state: 'READY' } : undefined;
};

const lastStepMs = ({ timeline }: Delivery) => timeline.at(-1)?.atMs ?? 0;

/** A new event continues the tries of the delivery that it replaces. */
const addEvent = async ({ delivery, plan }: ForEvent, deps: PublishDeps): Promise<Delivery> => {
  const made = presentOf(delivery, plan, deps);
  const due = scheduledDelivery(made.event, delivery.clientId, {
    atMs: made.event.claimedAtMs,
    note: `in place of ${delivery.eventId}`,
    failures: Math.max(...[delivery, ...plan.covers].map(({ failures }) => failures)),
  });
  await deps.deliveryLog.addMissing({ ...made, deliveries: [due] });
  return due;
};

/** The stored bytes (I6). Expired values are made again from the present ones. */
const eventOf = async (delivery: Delivery, plan: Fold, deps: PublishDeps): Promise<DeliveryLogEvent> => {
  const found = await deps.deliveryLog.event(delivery.eventId);
  if (found?.bodies) return { ...found, deliveries: [delivery] };
  const made = presentOf(delivery, plan, deps);
  await deps.deliveryLog.addMissing({ ...made, deliveries: [] });
  return { ...made, deliveries: [delivery] };
};

const presentOf = (
  { clientId }: Delivery,
  { stored, range, type }: Fold,
  { stage, origin, clock }: PublishDeps,
) =>
  presentEvent({ stored, range, type, recipients: [clientId] }, { stage, origin, nowMs: clock().getTime() });

/**
 * A delivery that another flusher leased, or that was postponed, keeps its own time. A dead one needs no lease, because
 * nobody sends it before its redrive; one whose redrive has started is no longer DEAD, and stays.
 */
const endCovered = async (
  one: Delivery,
  by: string,
  { deliveryLog, clock, settings }: PublishDeps,
): Promise<void> => {
  const nowMs = clock().getTime();
  const lease = { dueAtMs: nowMs + settings.leaseMs };
  const isOurs = one.state === 'DEAD' || (isDueAt(one, nowMs) && (await deliveryLog.lease(one, lease)));
  if (isOurs) await endSuperseded(one, by, { deliveryLog, clock });
};
