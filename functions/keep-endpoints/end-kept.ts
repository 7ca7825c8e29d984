import type { Delivery } from '../shared/domain/event/delivery.ts';
import type { SuppressionReason } from '../shared/domain/event/recipient.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { DeliveryLogStore } from '../shared/store/debounce/delivery-log-store.ts';

type EndDeps = { deliveryLog: Pick<DeliveryLogStore, 'deliveriesOfPartner' | 'move'>; clock: Clock };

/** Ends what was kept for a partner without an endpoint, and what would be tried again: a later endpoint is sent none of it (EV-13). */
export const createEndKept =
  ({ deliveryLog, clock }: EndDeps) =>
  async (clientId: string, reason: SuppressionReason): Promise<void> => {
    for await (const { eventId, state, dueAtMs } of deliveryLog.deliveriesOfPartner(clientId, {})) {
      if (!isOpen({ state, dueAtMs })) continue;
      const atMs = clock().getTime();
      const entry = { atMs, step: 'suppressed', note: reason } as const;
      await deliveryLog.move({ eventId, clientId, from: [state], to: 'SUPPRESSED', atMs, entry, reason });
    }
  };

/** The sender itself ends what it is about to send. */
const isOpen = ({ state, dueAtMs }: Pick<Delivery, 'state'> & { dueAtMs: number | undefined }) =>
  state === 'HELD' || (state === 'DEAD' && dueAtMs !== undefined);
