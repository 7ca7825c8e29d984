import type { KeptPart, KeptPass } from '../shared/domain/endpoint.ts';
import type { Delivery } from '../shared/domain/event/delivery.ts';
import type { SuppressionReason } from '../shared/domain/event/recipient.ts';
import { partOfPass } from '../shared/replay/partner-walk.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { DeliveryLogPages, DeliveryLogStore } from '../shared/store/debounce/delivery-log-store.ts';

type EndDeps = { deliveryLog: Pick<DeliveryLogStore, 'move'> & DeliveryLogPages; clock: Clock };

/** Ends what was kept or is to be redriven for a partner without an endpoint: a later one gets none of it (EV-13). */
export const createEndKept =
  (deps: EndDeps) =>
  (clientId: string, reason: SuppressionReason, pass?: KeptPass): Promise<KeptPart> =>
    partOfPass({ clientId, pass }, deps, async (deliveries, onFault) => {
      for (const delivery of deliveries.filter(isOpen)) await end(delivery, reason, deps).catch(onFault);
    });

const end = async (
  { eventId, clientId, state }: Delivery,
  reason: SuppressionReason,
  { deliveryLog, clock }: EndDeps,
): Promise<unknown> => {
  const atMs = clock().getTime();
  const entry = { atMs, step: 'suppressed', note: reason } as const;
  return deliveryLog.move({ eventId, clientId, from: [state], to: 'SUPPRESSED', atMs, entry, reason });
};

/** READY deliveries are ended by the sender. */
const isOpen = ({ state, dueAtMs }: Delivery) =>
  state === 'HELD' || (state === 'DEAD' && dueAtMs !== undefined);
