import type { KeptPart, KeptPass } from '../shared/domain/endpoint.ts';
import type { Delivery } from '../shared/domain/event/delivery.ts';
import type { SuppressionReason } from '../shared/domain/event/recipient.ts';
import { keptPartMs } from '../shared/replay/partner-walk.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { DeliveryLogPages, DeliveryLogStore } from '../shared/store/debounce/delivery-log-store.ts';

type EndDeps = { deliveryLog: Pick<DeliveryLogStore, 'move'> & DeliveryLogPages; clock: Clock };

const rowsAtOnce = 100;

/** Ends what was kept for a partner without an endpoint, and what would be tried again: a later endpoint is sent none of it (EV-13). */
export const createEndKept =
  ({ deliveryLog, clock }: EndDeps) =>
  async (clientId: string, reason: SuppressionReason, pass?: KeptPass): Promise<KeptPart> => {
    const endsAtMs = clock().getTime() + keptPartMs;
    const beganAtMs = pass?.beganAtMs ?? clock().getTime();
    const faults: unknown[] = [];
    let after = pass?.after;
    do {
      const asked = { clientId, untilMs: beganAtMs + 1, limit: rowsAtOnce, oldestFirst: true };
      const page = await deliveryLog.deliveryPage({ ...asked, ...(after && { after }) });
      for (const delivery of page.deliveries.filter(isOpen))
        await end(delivery, reason, { deliveryLog, clock }).catch((fault) => faults.push(fault));
      after = page.next;
    } while (after && clock().getTime() < endsAtMs);
    return { ...(after && { next: { beganAtMs, after } }), ...(faults.length > 0 && { fault: faults[0] }) };
  };

const end = async (
  { eventId, clientId, state }: Delivery,
  reason: SuppressionReason,
  { deliveryLog, clock }: EndDeps,
): Promise<unknown> => {
  const atMs = clock().getTime();
  const entry = { atMs, step: 'suppressed', note: reason } as const;
  return deliveryLog.move({ eventId, clientId, from: [state], to: 'SUPPRESSED', atMs, entry, reason });
};

/** The sender itself ends what it is about to send. */
const isOpen = ({ state, dueAtMs }: Delivery) =>
  state === 'HELD' || (state === 'DEAD' && dueAtMs !== undefined);
