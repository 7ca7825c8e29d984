import { isDueAt } from '../domain/event/debounce-row.ts';
import type { Delivery, DeliveryKey } from '../domain/event/delivery.ts';
import type { DeliveryLogEvent } from '../store/debounce/delivery-log-store.ts';
import { asOfNow, type ClaimedEvent } from './claim.ts';
import { fold, planResend } from './fold.ts';
import type { EventToResume } from './load-due.ts';
import type { PublishDeps } from './publish-deps.ts';

/** Planning and sending one retry costs as much as this many recipients of a first event (EV-26). */
const resendCost = 5;

/** Loads a delivery of a redrive, a replay or a resumed partner; undefined if it is not due. */
export const loadDelivery = async (
  key: DeliveryKey,
  deps: PublishDeps,
): Promise<EventToResume | undefined> => {
  const delivery = await deps.deliveryLog.delivery(key);
  if (!delivery || !isDueAt(delivery, deps.clock().getTime())) return undefined;
  return { recipients: resendCost, resume: () => leaseDelivery(delivery, deps) };
};

/**
 * Plans and leases the delivery. If it was leased or changed since it was read, it is left alone (I7). The lease starts
 * before the plan, so that the plan holds for its whole time (I2).
 */
const leaseDelivery = async (delivery: Delivery, deps: PublishDeps): Promise<ClaimedEvent | undefined> => {
  const { deliveryLog, clock, settings } = deps;
  const nowMs = clock().getTime();
  const plan = await planResend(delivery, nowMs, deps);
  if (plan.step === 'wait') {
    await deliveryLog.reschedule(delivery, plan.dueAtMs);
    return undefined;
  }
  if (!(await deliveryLog.lease(delivery, { dueAtMs: nowMs + settings.leaseMs }))) return undefined;
  const leased: Delivery = { ...delivery, state: 'READY' };
  const found = plan.step === 'fold' ? await fold(leased, plan, deps) : await asStored(leased, nowMs, deps);
  return found && asOfNow(found, nowMs, deps);
};

/** The event with its stored bytes, for this partner. An expired one ends, because it would be due forever (I19). */
const asStored = async (
  delivery: Delivery,
  atMs: number,
  { deliveryLog }: PublishDeps,
): Promise<DeliveryLogEvent | undefined> => {
  const { eventId, clientId } = delivery;
  const found = await deliveryLog.event(eventId);
  if (found) return { ...found, deliveries: [delivery] };
  const entry = { atMs, step: 'suppressed', note: 'EXPIRED' } as const;
  const ended = { eventId, clientId, from: ['READY'], to: 'SUPPRESSED', atMs, entry } as const;
  await deliveryLog.move({ ...ended, reason: 'EXPIRED' });
  return undefined;
};
