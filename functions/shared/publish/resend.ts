import { isDueAt } from '../domain/event/debounce-row.ts';
import type { Delivery, DeliveryKey } from '../domain/event/delivery.ts';
import type { DeliveryLogEvent } from '../store/debounce/delivery-log-store.ts';
import { asOfNow, type ClaimedEvent } from './claim.ts';
import { fold, planResend } from './fold.ts';
import type { EventToResume } from './load-due.ts';
import type { PublishDeps } from './publish-deps.ts';

/** As many recipients of a first event cost what planning and sending one delivery again does (EV-26). */
const resendCost = 5;

/** Loads one delivery that is to be sent again: of a redrive, a replay or a resumed partner. Undefined where it is not due. */
export const loadDelivery = async (
  key: DeliveryKey,
  deps: PublishDeps,
): Promise<EventToResume | undefined> => {
  const delivery = await deps.deliveryLog.delivery(key);
  if (!delivery || !isDueAt(delivery, deps.clock().getTime())) return undefined;
  return { recipients: resendCost, resume: () => leaseDelivery(delivery, deps) };
};

/**
 * Plans what the delivery becomes, and leases it: where it was leased, unscheduled or asked for by itself since it was read,
 * it is sent by somebody else, by nobody, or next time (I7). The lease counts from before the plan was made, so that the plan
 * holds for all of it (I2).
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

/** The event with its stored bytes, for this partner alone. One that is not kept any more ends, or it would be due for ever (I19). */
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
