import type { DeliveryLogStore } from '../../../functions/shared/store/debounce/delivery-log-store.ts';

/** The delivery log of a dry run: a replay finds and counts deliveries, and moves none. */
export const withoutMoves = <DeliveryLog extends Pick<DeliveryLogStore, 'move'>>(
  deliveryLog: DeliveryLog,
): DeliveryLog => ({
  ...deliveryLog,
  move: async () => true,
});
